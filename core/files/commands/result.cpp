#include "files/questions_json.hpp"
#include "plimsoll/files/command_line.hpp"
#include "text/issues_json.hpp"

namespace plimsoll::io {

std::string command_line_json(const CommandLine& line) {
  Json fields = Json::object();
  for (const Entry& entry : line.request.entries()) fields[entry.name] = entry.text;
  return dump(Json{{"ok", line.ok},
                   {"kind", "command_line"},
                   {"engine", line.engine},
                   {"issues", issues_result(line.issues)},
                   {"fields", std::move(fields)},
                   {"parameters", nullptr},
                   {"query", to_query(line.request)},
                   {"questions", line.ok ? questions_result(line.request) : Json::array()},
                   {"read", line.read},
                   {"harmless", line.harmless},
                   {"unread", line.unread}});
}

std::string export_json(const ExportedCommand& exported) {
  if (exported.binary) {
    const Issues issues{{Severity::error, "to", "A snapshot is a binary file, which JSON cannot hold.", "Write it with the command line: plimsoll export --to snapshot … > snapshot.pickle"}};
    return dump(Json{{"ok", false}, {"issues", issues_result(issues)}, {"text", ""}});
  }
  return dump(Json{{"ok", exported.ok}, {"issues", issues_result(exported.issues)}, {"text", exported.text}});
}

} // namespace plimsoll::io
