#include "files/commands/words.hpp"

namespace plimsoll::io::commands {

namespace {

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

class Splitter {
public:
  Splitter(std::string_view text, std::size_t most) : text_(text), most_(most) {}

  std::vector<Word> run() && {
    while (at_ < text_.size() && words_.size() < most_) step();
    end_word();
    return std::move(words_);
  }

private:
  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (continues_line()) return;
    if (c == '\\') return take_escaped();
    if (c == '\'' || c == '"') return take_quoted(c);
    if (is_space(c)) return end_word(), void(++at_);
    if (c == '#' && !in_word_) return skip_comment();
    if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '>' || c == '<') return end_command();
    word_ += c;
    in_word_ = true;
    ++at_;
  }

  /// `\`, "`" or ^ before the end of a line.
  bool continues_line() {
    const char c = text_[at_];
    if (c != '\\' && c != '`' && c != '^') return false;
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_space(text_[end])) ++end; // a space behind the mark is a slip that people make
    if (end < text_.size() && text_[end] != '\n') return false;
    end_word();
    at_ = end + 1;
    return true;
  }

  /// Before a letter or digit it is more likely part of a Windows path than of a shell's word.
  void take_escaped() {
    const char c = next();
    const bool in_path = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (in_path) word_ += text_[at_];
    if (c != '\0') word_ += c;
    in_word_ = true;
    at_ += 2;
  }

  void take_quoted(char quote) {
    in_word_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      const bool escapes = quote == '"' && text_[at_] == '\\' && (next() == '"' || next() == '\\' || next() == '$' || next() == '`');
      if (escapes) ++at_;
      word_ += text_[at_];
    }
    ++at_;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void end_command() {
    end_word();
    if (words_.empty() || !words_.back().ends_command) words_.push_back({"", true});
    ++at_;
  }

  void end_word() {
    if (in_word_) words_.push_back({std::move(word_), false});
    word_.clear();
    in_word_ = false;
  }

  std::string_view text_;
  std::size_t most_;
  std::size_t at_ = 0;
  std::vector<Word> words_;
  std::string word_;
  bool in_word_ = false;
};

} // namespace

std::vector<Word> split_words(std::string_view text, std::size_t most) { return Splitter{text, most}.run(); }

std::string quoted_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string{text};
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return word + "'";
}

} // namespace plimsoll::io::commands
