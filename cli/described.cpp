#include "described.hpp"

#include "plimsoll/method/fields.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace plimsoll::cli {

namespace {

/// CLI11 keeps the members of a list only in the name of the type: "TEXT:{time,cost}".
std::vector<std::string> members_in(const std::string& type) {
  std::vector<std::string> members;
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return members;
  for (std::size_t at = begin + 1; at < end;) {
    const std::size_t comma = std::min(type.find(',', at), end);
    members.push_back(type.substr(at, comma - at));
    at = comma + 1;
  }
  return members;
}

std::string listed_by_catalog(const std::string& flag) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kLists{{{"--model", "models"}, {"--device", "devices"}, {"--weight-dtype", "weights"}, {"--profile", "profiles"}}};
  const auto list = std::ranges::find(kLists, flag, &std::pair<std::string_view, std::string_view>::first);
  return list == kLists.end() ? "" : std::string{list->second};
}

DescribedOption described(const CLI::Option& option) {
  DescribedOption made;
  const bool has_flag = !option.get_lnames().empty();
  made.flag = has_flag ? "--" + option.get_lnames().front() : option.get_name();
  made.help = option.get_description();
  made.group = option.get_group();
  const std::string type = option.get_type_name();
  made.value = option.get_expected_max() == 0 ? "" : type.substr(0, type.find_first_of(":{"));
  made.values = members_in(type);
  made.listed = listed_by_catalog(made.flag);
  std::string name = made.flag.substr(has_flag ? 2 : 0);
  std::ranges::replace(name, '-', '_');
  if (const Field* const field = find_field(name); field != nullptr && made.values.empty() && made.listed.empty())
    for (const Choice& choice : field->choices) made.values.emplace_back(choice.name);
  return made;
}

} // namespace

std::vector<DescribedCommand> commands_of(const CLI::App& app) {
  std::vector<DescribedCommand> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    DescribedCommand made{command->get_name(), command->get_description(), {}, {}};
    for (const CLI::Option* option : command->get_options()) (option->get_positional() ? made.words : made.options).push_back(described(*option));
    commands.push_back(std::move(made));
  }
  return commands;
}

} // namespace plimsoll::cli
