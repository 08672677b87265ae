#include "broken.hpp"
#include "catalogue.hpp"
#include "invariants.hpp"
#include "targets.hpp"

#include "plimsoll/catalog/quantization.hpp"

namespace plimsoll::fuzz::targets {

/// One config in two thousand goes the whole way to an answer.
std::string model_config(std::string_view text) { return once_in(2048, text) ? broken_by_config(catalog(), text) : broken_by_import(text); }

std::string quantization(std::string_view text) {
  return guarded([&]() -> std::string {
    const io::ImportedScheme imported = io::scheme_of_quantization_config(catalog().weights(), text, "bfloat16");
    if (std::string broken = broken_issues(imported.issues); !broken.empty()) return broken;
    if (imported.scheme.has_value() == has_errors(imported.issues)) return "a scheme and the issues disagree";
    if (!imported.scheme) return "";
    return catalog().weights().find(imported.id) ? "" : "the scheme's id " + imported.id + " is not in the catalogue";
  });
}

} // namespace plimsoll::fuzz::targets
