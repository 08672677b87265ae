#include "broken.hpp"
#include "catalogue.hpp"
#include "targets.hpp"

#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/files/tensor_file.hpp"
#include "text/json.hpp"

namespace plimsoll::fuzz::targets {

std::string any_file(std::string_view bytes) {
  return guarded([&]() -> std::string {
    const bool whole = bytes.size() % 2 == 0;
    const io::ModelFile file = io::read_model_file(bytes, whole ? bytes.size() : bytes.size() + 1);
    if (whole && !file.ok && !has_errors(file.issues)) return "not ok, without an error";
    if (!file.ok && !file.request.entries().empty()) return "a request in spite of errors";
    if (once_in(64, bytes) && !io::parse_json(io::import_json(bytes, bytes.size())).ok) return "import_json did not return JSON";
    return broken_issues(file.issues);
  });
}

std::string rows(std::string_view text) {
  return guarded([&]() -> std::string {
    const io::Accuracy accuracy = io::compare(catalog(), text);
    for (const io::Comparison& row : accuracy.rows)
      if (row.modelled != row.reason.empty()) return "a row is modelled and has a reason why not, or neither: " + row.id;
    if (once_in(64, text) && !io::parse_json(io::accuracy_json(accuracy)).ok) return "accuracy_json did not return JSON";
    return broken_issues(accuracy.issues);
  });
}

} // namespace plimsoll::fuzz::targets
