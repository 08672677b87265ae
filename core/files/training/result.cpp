#include "files/questions_json.hpp"
#include "plimsoll/files/training_config.hpp"
#include "text/issues_json.hpp"

namespace plimsoll::io {

std::string training_config_json(const TrainingConfig& config) {
  Json fields = Json::object();
  for (const Entry& entry : config.request.entries()) fields[entry.name] = entry.text;
  return dump(Json{{"ok", config.ok},
                   {"kind", "training_config"},
                   {"format", config.format},
                   {"name", config.name},
                   {"source", config.source},
                   {"issues", issues_result(config.issues)},
                   {"fields", std::move(fields)},
                   {"parameters", nullptr},
                   {"query", config.ok ? to_query(config.request) : std::string{}},
                   {"questions", config.ok ? questions_result(config.request) : Json::array()},
                   {"read", config.read},
                   {"harmless", config.harmless},
                   {"unread", config.unread},
                   {"assumed", config.assumed}});
}

} // namespace plimsoll::io
