#include "files/scripts/fences.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace plimsoll::io::scripts {

namespace {

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

struct Fence {
  char mark;
  std::size_t length;
  std::string_view language; ///< the first word behind it
};

std::optional<Fence> fence_of(std::string_view line) {
  line.remove_prefix(indent_of(line));
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return {};
  const std::size_t length = std::min(line.find_first_not_of(line[0]), line.size());
  if (length < 3) return {};
  std::string_view rest = line.substr(length);
  if (line[0] == '`' && rest.find('`') != std::string_view::npos) return {}; // code within a line
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t{."), rest.size()));
  return Fence{line[0], length, rest.substr(0, rest.find_first_of(" \t\r{},:"))};
}

bool is_shell(std::string_view language) {
  static constexpr std::array<std::string_view, 11> kShells{"", "bash", "sh", "shell", "console", "zsh", "shell-session", "sh-session", "terminal", "cmd", "powershell"};
  return std::ranges::find(kShells, lower_case(language)) != kShells.end();
}

/// The language of reStructuredText's directive; nothing on other lines.
std::optional<std::string_view> directive_of(std::string_view line) {
  line.remove_prefix(indent_of(line));
  for (const std::string_view name : {".. code-block::", ".. code::", ".. sourcecode::"}) {
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    line.remove_prefix(indent_of(line));
    return line.substr(0, line.find_first_of(" \t\r"));
  }
  return {};
}

/// Files that pages show.
bool is_file(std::string_view language) {
  static constexpr std::array<std::string_view, 7> kFiles{"yaml", "yml", "json", "toml", "dockerfile", "modelfile", "python"};
  return std::ranges::find(kFiles, lower_case(language)) != kFiles.end();
}

class Reader {
public:
  /// Commands one behind the other, or files apart.
  explicit Reader(std::string_view text, std::vector<std::string>* files = nullptr) : rest_(text), files_(files) {}

  std::string run() && {
    while (!rest_.empty()) {
      const std::string_view line = next();
      if (const auto fence = fence_of(line)) fenced(*fence, indent_of(line));
      else if (const auto language = directive_of(line)) indented(*language, indent_of(line));
    }
    return std::move(commands_);
  }

private:
  std::string_view next() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

  void take(std::string_view line, std::size_t indent) {
    line.remove_prefix(std::min(indent_of(line), indent));
    commands_.append(line).push_back('\n');
  }

  /// To the fence that closes it, or to the end.
  void fenced(const Fence& open, std::size_t indent) {
    const bool wanted = files_ != nullptr ? is_file(open.language) : is_shell(open.language);
    if (files_ != nullptr && wanted) commands_.clear();
    while (!rest_.empty()) {
      const std::string_view line = next();
      if (const auto fence = fence_of(line); fence && fence->mark == open.mark && fence->length >= open.length && fence->language.empty()) break;
      if (wanted) take(line, indent);
    }
    if (files_ != nullptr && wanted && !commands_.empty()) files_->push_back(std::move(commands_));
  }

  /// Options and an empty line stand in front of it; it ends where the indentation does.
  void indented(std::string_view language, std::size_t outside) {
    const bool wanted = files_ == nullptr && is_shell(language) && !language.empty();
    std::size_t indent = 0;
    while (!rest_.empty()) {
      const std::string_view before = rest_, line = next();
      const bool empty = indent_of(line) == line.size() || line == "\r";
      if (!empty && indent_of(line) <= outside) {
        rest_ = before;
        return;
      }
      if (indent == 0 && (empty || line.substr(indent_of(line)).starts_with(':'))) continue;
      if (indent == 0) indent = indent_of(line);
      if (wanted) take(line, indent);
    }
  }

  std::string_view rest_;
  std::string commands_;
  std::vector<std::string>* files_;
};

} // namespace

std::string commands_of_document(std::string_view text) {
  if (text.find("```") == std::string_view::npos && text.find("~~~") == std::string_view::npos && text.find(".. code") == std::string_view::npos && text.find(".. sourcecode") == std::string_view::npos) return "";
  return Reader{text}.run();
}

std::vector<std::string> files_of_document(std::string_view text) {
  std::vector<std::string> files;
  static_cast<void>(Reader{text, &files}.run());
  return files;
}

} // namespace plimsoll::io::scripts
