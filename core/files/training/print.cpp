#include "files/training/print.hpp"

#include "files/commands/words.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::configs {

namespace {

std::string comment_lines(const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) text += "# " + comment + "\n";
  return text;
}

/// A plain word where YAML reads it as a text, a quoted one elsewhere: JSON's strings are YAML's.
std::string yaml_scalar(const Json& value) {
  if (!value.is_string()) return value.is_null() ? "null" : dump(value);
  const std::string& text = value.text();
  constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/_";
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  constexpr std::string_view kWords[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const std::string lower = lower_case(text);
  bool plain = !text.empty() && kFirst.find(text.front()) != std::string_view::npos && text.find_first_not_of(kPlain) == std::string::npos;
  for (const std::string_view word : kWords) plain = plain && lower != word;
  return plain ? text : dump(value);
}

void yaml_lines(const Json& tree, const std::string& indent, std::string& text);

/// A script keeps its lines.
bool is_block(const Json& value) { return value.is_string() && value.text().find('\n') != std::string::npos && value.text().find_first_of("\t\r") == std::string::npos && value.text()[0] != ' '; }

std::string yaml_block(const std::string& lines, const std::string& indent) {
  std::string text = lines.ends_with('\n') ? " |\n" : " |-\n";
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    text += (end == at ? "" : indent) + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

/// What stands behind "key:", on its line or below it and deeper.
void yaml_value(const Json& value, const std::string& indent, std::string& text) {
  if (value.is_object() && !value.empty()) {
    text += "\n";
    return yaml_lines(value, indent + "  ", text);
  }
  if (is_block(value)) return void(text += yaml_block(value.text(), indent + "  "));
  if (!value.is_array() || value.empty()) return void(text += " " + yaml_scalar(value) + "\n");
  text += "\n";
  for (const Json& item : value) {
    std::string lines;
    if (item.is_object() && !item.empty()) yaml_lines(item, indent + "    ", lines), lines = " " + lines.substr(indent.size() + 4);
    else if (is_block(item)) lines = yaml_block(item.text(), indent + "    ");
    else lines = " " + yaml_scalar(item) + "\n";
    text += indent + "  -" + lines;
  }
}

void yaml_lines(const Json& tree, const std::string& indent, std::string& text) {
  for (const auto& [key, value] : tree.items()) {
    text += indent + yaml_scalar(Json(key)) + ":";
    yaml_value(value, indent, text);
  }
}

void toml_section(const Json& tree, const std::string& name, std::string& text) {
  std::string lines;
  for (const auto& [key, value] : tree.items())
    if (!value.is_object()) lines += key + " = " + dump(value) + "\n";
  if (!lines.empty()) text += (text.empty() ? "" : "\n") + (name.empty() ? "" : "[" + name + "]\n") + lines;
  for (const auto& [key, value] : tree.items())
    if (value.is_object()) toml_section(value, name.empty() ? key : name + "." + key, text);
}

void override_lines(const Json& tree, const std::string& name, std::string& text) {
  for (const auto& [key, value] : tree.items()) {
    const std::string path = name.empty() ? key : name + "." + key;
    if (value.is_object()) override_lines(value, path, text);
    else text += path + "=" + (value.is_string() ? commands::quoted_word(value.get<std::string>()) : commands::quoted_word(dump(value))) + "\n";
  }
}

} // namespace

std::string print_json(const Json& tree, const std::vector<std::string>& comments) {
  Json whole = Json::object();
  if (!comments.empty()) whole["_comment"] = comments;
  for (const auto& [key, value] : tree.items()) whole[key] = value;
  return dump_indented(whole) + "\n";
}

std::string print_yaml(const Json& tree, const std::vector<std::string>& comments) {
  std::string text = comment_lines(comments);
  yaml_lines(tree, "", text);
  return text;
}

std::string print_toml(const Json& tree, const std::vector<std::string>& comments) {
  std::string text;
  toml_section(tree, "", text);
  return comment_lines(comments) + text;
}

std::string print_overrides(const Json& tree, const std::vector<std::string>& comments) {
  std::string text;
  override_lines(tree, "", text);
  return comment_lines(comments) + text;
}

std::string print_arguments(const Json& tree, std::string_view command, const std::vector<std::string>& comments) {
  const std::size_t space = command.find(' '); // between a launcher, which has options of its own, and the script
  std::string text = comment_lines(comments) + std::string{command.substr(0, space)};
  bool in_script = space == std::string_view::npos;
  for (const auto& [key, value] : tree.items()) {
    if (value == Json(false)) continue;
    if (!in_script && key != "nproc-per-node" && key != "nnodes") {
      text += " \\\n  " + std::string{command.substr(space + 1)};
      in_script = true;
    }
    text += " \\\n  --" + key;
    if (value == Json(true)) continue;
    if (value.is_array())
      for (const Json& item : value) text += " " + commands::quoted_word(item.is_string() ? item.get<std::string>() : dump(item));
    else text += " " + commands::quoted_word(value.is_string() ? value.get<std::string>() : dump(value));
  }
  return text + "\n";
}

void put(Json& tree, std::string_view path, Json value) {
  Json* section = &tree;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    section = &(*section)[std::string{path.substr(0, dot)}];
    path.remove_prefix(dot + 1);
  }
  (*section)[std::string{path}] = std::move(value);
}

} // namespace plimsoll::io::configs
