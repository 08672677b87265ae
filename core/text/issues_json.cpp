#include "text/issues_json.hpp"

namespace plimsoll::io {

Json issues_result(const Issues& issues) {
  Json list = Json::array();
  for (const Issue& issue : issues)
    list.push_back({{"severity", name_of(issue.severity)}, {"field", issue.field}, {"message", issue.message}, {"remedy", issue.remedy}});
  return list;
}

} // namespace plimsoll::io
