#include "files/scripts/syntax.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace plimsoll::io::scripts {

namespace {

constexpr std::size_t kMostNesting = 64;
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

using Ends = std::initializer_list<std::string_view>;
bool is_one_of(std::string_view word, Ends words) { return std::ranges::find(words, word) != words.end(); }

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Block run() {
    Block all;
    while (at_ < text_.size()) {
      const std::size_t before = at_;
      Block part = block({});
      std::ranges::move(part, std::back_inserter(all));
      if (at_ == before) ++at_; // a bracket that nothing opened
    }
    return all;
  }

private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }
  /// One behind a mark that joins this line to the next, or 0: `\`, "`" or ^ with nothing but blanks before the line's end.
  std::size_t continuation() const {
    if (peek() != '\\' && peek() != '`' && peek() != '^') return 0;
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_blank(text_[end])) ++end;
    return end >= text_.size() || text_[end] == '\n' ? std::min(end + 1, text_.size()) : 0;
  }

  void skip_blanks() {
    for (;;) {
      while (is_blank(peek())) ++at_;
      if (const std::size_t end = continuation()) {
        line_ += end <= text_.size() ? 1 : 0;
        at_ = end;
      } else if (peek() == '#') {
        while (!at_end() && peek() != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  /// The end of a line: texts of here-documents stand behind it.
  void end_line(Block& block) {
    ++at_;
    ++line_;
    for (Redirect* const open : open_documents(block)) read_document(*open);
    documents_ = 0;
  }

  /// Here-documents of the last commands that have no text yet.
  std::vector<Redirect*> open_documents(Block& block) const {
    std::vector<Redirect*> open;
    if (documents_ == 0) return open;
    for (auto node = block.rbegin(); node != block.rend() && open.size() < documents_; ++node)
      for (auto redirect = node->redirects.rbegin(); redirect != node->redirects.rend() && open.size() < documents_; ++redirect)
        if (redirect->operation == "<<") open.push_back(&*redirect);
    std::ranges::reverse(open);
    return open;
  }

  void read_document(Redirect& into) {
    std::string word;
    for (const char c : into.target) {
      if (c == '\'' || c == '"' || c == '\\') into.literal = true;
      else word += c;
    }
    while (!at_end()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      const std::size_t begin = std::min(line.find_first_not_of("\t "), line.size());
      if (line.substr(begin) == word) return;
      into.text += line;
      into.text += '\n';
    }
  }

  /// Reads until one of the words `ends` stands where a command could, or a closing bracket or ";;". ended_by_ says which.
  Block block(Ends ends) {
    Block block;
    Joint joint = Joint::then;
    ended_by_.clear();
    if (++depth_ > kMostNesting) at_ = text_.size();
    while (!at_end()) {
      skip_blanks();
      const char c = peek();
      if (c == '\n') {
        end_line(block);
        continue;
      }
      if (c == ')' || (c == ';' && peek(1) == ';')) break;
      if (c == ';' || c == '&' || c == '|') {
        joint = separator();
        continue;
      }
      if (at_end()) break;
      const std::size_t before = at_;
      Node node = command(ends);
      if (!ended_by_.empty()) break;
      node.joint = std::exchange(joint, Joint::then);
      block.push_back(std::move(node));
      if (at_ == before) ++at_;
    }
    --depth_;
    return block;
  }

  Joint separator() {
    const char c = peek(), next = peek(1);
    if (c == '&' && next == '>') return at_ += 1, redirect_into(loose_), Joint::then;
    at_ += c == next || (c == '|' && next == '&') ? 2 : 1;
    if (c == next && c == '&') return Joint::if_so;
    if (c == next && c == '|') return Joint::if_not;
    return c == '|' ? Joint::pipe : Joint::then;
  }

  Node command(Ends ends) {
    Node node;
    node.line = line_;
    if (peek() == '(' && peek(1) == '(') return arithmetic(std::move(node));
    if (const std::size_t prompt = end_of_prompt(text_, at_)) at_ = prompt;
    if (peek() == '(') return group(std::move(node), ')');
    std::string first = word();
    while (first == "!" || first == "time") {
      node.negated = node.negated != (first == "!");
      first = word();
    }
    if (is_one_of(first, ends)) {
      ended_by_ = std::move(first);
      return node;
    }
    if (first == "if") return branch(std::move(node));
    if (first == "while" || first == "until") return loop(std::move(node), first == "until");
    if (first == "for" || first == "select") return every(std::move(node));
    if (first == "case") return choice(std::move(node));
    if (first == "{") return group(std::move(node), '}');
    if (first == "[[") return test(std::move(node));
    if (first == "function") return skip_blanks(), function(std::move(node), word());
    skip_blanks();
    if (!first.empty() && peek() == '(' && first.find_first_of("='\"$") == std::string::npos) return function(std::move(node), std::move(first));
    return simple(std::move(node), std::move(first));
  }

  Node simple(Node node, std::string first) {
    if (!first.empty()) node.words.push_back(std::move(first));
    for (;;) {
      skip_blanks();
      const char c = peek();
      if (at_end() || c == '\n' || c == ';' || c == ')' || c == '|') break;
      if (c == '&' && peek(1) != '>') break;
      if (c == '&') ++at_;
      if (peek() == '<' || peek() == '>') {
        if (const std::size_t end = end_of_placeholder(text_, at_)) {
          node.words.push_back(std::string{text_.substr(at_, end - at_)});
          at_ = end;
        } else {
          redirect_into(node);
        }
        continue;
      }
      const std::size_t before = at_;
      std::string next = word();
      const bool file_number = is_digits(next) && (peek() == '<' || peek() == '>') && at_ == before + next.size();
      if (!next.empty() && !file_number) node.words.push_back(std::move(next));
      if (at_ == before) ++at_;
    }
    return node;
  }

  void redirect_into(Node& node) {
    Redirect redirect;
    while (peek() == '<' || peek() == '>' || (peek() == '&' && !redirect.operation.empty())) redirect.operation += text_[at_++];
    if (redirect.operation == "<<" && peek() == '-') ++at_;
    while (is_blank(peek())) ++at_;
    if (peek() == '(') at_ = end_of_brackets(text_, at_, '(', ')'); // process substitution
    else redirect.target = word();
    if (redirect.operation == "<<") ++documents_;
    node.redirects.push_back(std::move(redirect));
  }

  /// A word as typed, with its quotes; "" where none stands.
  std::string word() {
    skip_blanks();
    const std::size_t begin = at_;
    std::string joined;
    std::size_t piece = at_;
    while (!at_end()) {
      const char c = peek();
      if (const std::size_t end = continuation()) {
        joined += text_.substr(piece, at_ - piece);
        at_ = piece = end;
        ++line_;
        if (is_blank(peek())) break;
        continue;
      }
      if (is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == ')') break;
      if (c == '<' || c == '>') {
        if (const std::size_t end = end_of_placeholder(text_, at_)) {
          at_ = end;
          continue;
        }
        break;
      }
      if (c == '(' && !opens_list(begin)) break;
      const std::size_t before = at_;
      pass(c);
      line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(before), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n'));
    }
    at_ = std::min(at_, text_.size());
    joined += text_.substr(piece, at_ > piece ? at_ - piece : 0);
    return joined;
  }

  /// NAME=( or NAME+=(.
  bool opens_list(std::size_t begin) const {
    if (at_ == begin || text_[at_ - 1] != '=') return false;
    const std::string_view name = text_.substr(begin, at_ - begin - 1);
    return !name.empty() && name.find_first_not_of(std::string{kNameLetters} + "+[]@\"$") == std::string_view::npos;
  }

  /// One letter of a word, or what belongs together from it on.
  void pass(char c) {
    if (c == '\\') at_ += 2;
    else if (c == '\'' || c == '"') at_ = end_of_quotes(text_, at_);
    else if (c == '`') at_ = std::min(text_.find('`', at_ + 1), text_.size() - 1) + 1;
    else if (c == '(') at_ = end_of_brackets(text_, at_, '(', ')', true);
    else if (c == '$' && peek(1) == '(') at_ = end_of_brackets(text_, at_ + 1, '(', ')');
    else if (c == '$' && peek(1) == '{') at_ = end_of_brackets(text_, at_ + 1, '{', '}');
    else ++at_;
  }

  Node arithmetic(Node node) {
    const std::size_t begin = at_ + 2;
    at_ = end_of_brackets(text_, at_, '(', ')');
    node.kind = Kind::arithmetic;
    node.words.push_back(std::string{text_.substr(std::min(begin, text_.size()), at_ > begin + 2 ? at_ - begin - 2 : 0)});
    return node;
  }

  Node group(Node node, char close) {
    if (close == ')') ++at_;
    node.kind = Kind::group;
    node.bodies.push_back(close == ')' ? block({}) : block({"}"}));
    if (close == ')' && peek() == ')') ++at_;
    return finish(std::move(node));
  }

  /// Redirects behind a compound command.
  Node finish(Node node) {
    ended_by_.clear();
    Node behind = simple({}, "");
    node.redirects = std::move(behind.redirects);
    return node;
  }

  Node function(Node node, std::string name) {
    node.kind = Kind::function;
    node.words.push_back(std::move(name));
    skip_blanks();
    while (peek() == '(' || peek() == ')' || is_blank(peek())) ++at_;
    skip_lines();
    if (peek() == '{') {
      ++at_;
      node.bodies.push_back(block({"}"}));
    } else if (peek() == '(') {
      ++at_;
      node.bodies.push_back(block({}));
      if (peek() == ')') ++at_;
    }
    return finish(std::move(node));
  }

  void skip_lines() {
    for (skip_blanks(); peek() == '\n' || peek() == ';'; skip_blanks()) {
      line_ += peek() == '\n' ? 1 : 0;
      ++at_;
    }
  }

  Node branch(Node node) {
    node.kind = Kind::branch;
    std::string end = "elif";
    while (end == "elif") {
      node.conditions.push_back(block({"then"}));
      node.bodies.push_back(block({"elif", "else", "fi"}));
      end = ended_by_;
    }
    if (end == "else") node.bodies.push_back(block({"fi"}));
    return finish(std::move(node));
  }

  Node loop(Node node, bool until) {
    node.kind = Kind::loop;
    node.negated = until;
    node.conditions.push_back(block({"do"}));
    node.bodies.push_back(block({"done"}));
    return finish(std::move(node));
  }

  Node every(Node node) {
    node.kind = Kind::every;
    skip_blanks();
    if (peek() == '(') at_ = end_of_brackets(text_, at_, '(', ')');
    Node header = simple({}, "");
    for (std::string& text : header.words)
      if (node.words.size() != 1 || text != "in") node.words.push_back(std::move(text));
    block({"do"});
    node.bodies.push_back(block({"done"}));
    return finish(std::move(node));
  }

  Node choice(Node node) {
    node.kind = Kind::choice;
    node.words.push_back(word());
    skip_lines();
    word(); // in
    for (;;) {
      skip_lines();
      if (peek() == '(') ++at_;
      std::vector<std::string> patterns;
      bool over = false;
      for (;;) {
        std::string pattern = word();
        over = pattern == "esac" || pattern.empty();
        if (!over) patterns.push_back(std::move(pattern));
        skip_blanks();
        if (over || peek() != '|') break;
        ++at_;
      }
      if (over || at_end()) break;
      if (peek() == ')') ++at_;
      node.patterns.push_back(std::move(patterns));
      node.bodies.push_back(block({"esac"}));
      if (ended_by_ == "esac") break;
      while (peek() == ';' || peek() == '&') ++at_;
      if (at_end()) break;
    }
    return finish(std::move(node));
  }

  Node test(Node node) {
    node.kind = Kind::test;
    while (!at_end()) {
      skip_blanks();
      if (peek() == '\n') {
        ++at_, ++line_;
        continue;
      }
      const char c = peek(), next = peek(1);
      if ((c == '&' || c == '|') && next == c) {
        node.words.push_back(std::string(2, c));
        at_ += 2;
        continue;
      }
      if (c == '(' || c == ')' || c == '<' || c == '>' || c == ';') {
        node.words.push_back(std::string(1, c));
        ++at_;
        continue;
      }
      const std::size_t before = at_;
      std::string next_word = word();
      if (next_word == "]]") break;
      if (!next_word.empty()) node.words.push_back(std::move(next_word));
      if (at_ == before) ++at_;
    }
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1, depth_ = 0;
  std::size_t documents_ = 0; ///< here-documents of this line
  std::string ended_by_;
  Node loose_; ///< redirects that belong to no command
};

} // namespace

Block parse_script(std::string_view text) { return Parser{text}.run(); }

} // namespace plimsoll::io::scripts
