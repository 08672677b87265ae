#include "plimsoll/questions/plan.hpp"

#include "plimsoll/request/request_text.hpp"

#include <utility>

namespace plimsoll::io {

PlanTexts::PlanTexts(const Catalog& catalog, std::string_view question, bool is_json, std::string_view prices) {
  Issues issues;
  if (prices.empty()) {
    prices_ = std::make_unique<const Prices>(Prices::load(catalog));
  } else {
    ReadPrices read = read_prices(catalog, prices);
    issues = std::move(read.issues);
    prices_ = std::make_unique<const Prices>(std::move(read.rows));
  }
  const Request request = request_from_text(question, is_json, issues);
  session_.emplace(catalog, *prices_, request, std::move(issues));
}

} // namespace plimsoll::io
