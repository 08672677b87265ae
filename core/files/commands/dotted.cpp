// Members of an option's object, one by one: --speculative-config.method mtp (vllm-project/vllm, vllm/utils/argparse_utils.py, FlexibleArgumentParser).
#include "files/commands/dotted.hpp"

#include "files/training/document.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace plimsoll::io::commands {

namespace {

bool takes_object(const Option& option) {
  return option.reading == Reading::speculation || option.reading == Reading::transfer || option.reading == Reading::balancing || option.reading == Reading::media;
}

Json value_of(const std::string& text) {
  if (const auto number = configs::whole_number(text)) return Json(*number);
  if (text == "true" || text == "false") return Json(text == "true");
  return Json(text);
}

void set_member(Json& object, std::string_view path, Json value) {
  const std::size_t dot = path.find('.');
  const std::string name{path.substr(0, dot)};
  if (dot == std::string_view::npos) return void(object[name] = std::move(value));
  if (!object.contains(name) || !object[name].is_object()) object[name] = Json::object();
  set_member(object[name], path.substr(dot + 1), std::move(value));
}

} // namespace

std::vector<Word> join_members(std::span<const Option> options, const std::vector<Word>& words) {
  std::vector<Word> joined;
  std::map<std::string, std::pair<std::size_t, Json>> objects; // of each option: where it stands, and what it is
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    const std::size_t equals = word.find('='), dot = word.substr(0, equals).find('.');
    const Option* const option = word.starts_with("--") && dot != std::string::npos && !words[i].ends_command ? find_option(options, word) : nullptr;
    if (option == nullptr || !takes_object(*option)) {
      joined.push_back(words[i]);
      continue;
    }
    std::string name = word.substr(0, dot);
    std::ranges::replace(name, '_', '-');
    const std::string path = word.substr(dot + 1, equals == std::string::npos ? equals : equals - dot - 1);
    std::string text = equals == std::string::npos ? "true" : word.substr(equals + 1);
    if (equals == std::string::npos && i + 1 < words.size() && !words[i + 1].ends_command && !words[i + 1].text.starts_with('-')) text = words[++i].text;
    const auto at = objects.try_emplace(name, joined.size(), Json::object());
    if (at.second) joined.push_back({name, false});
    set_member(at.first->second.second, path, value_of(text));
  }
  for (const auto& [name, object] : objects) joined[object.first].text = name + "=" + dump(object.second);
  return joined;
}

} // namespace plimsoll::io::commands
