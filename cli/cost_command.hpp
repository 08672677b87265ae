#pragma once
// plimsoll cost and plimsoll rules: what time costs, and what rules of thumb say beside an estimate.

#include "options.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/prices.hpp"

#include <string>
#include <vector>

namespace plimsoll::cli {

struct CostOptions {
  std::string query;
  io::Request others; ///< flags under other names than ours               ///< positional: device=h100-80-sxm&gpus=64&hours=100
  std::vector<std::string> texts;  ///< one for each key, then for each field of the topic cost
  std::vector<CLI::Option*> flags;
  std::size_t most = 10;           ///< offers that are listed
  bool json = false;
};

void add_cost_options(CLI::App& command, CostOptions& options);

/// By the clock, as YYYY-MM-DD.
std::string date_of_today();

/// The prices of that file, or those that are built in where it is ""; issues name what is wrong with it.
io::Prices prices_of(const io::Catalog& catalog, const std::string& path, Issues& issues);

/// `prices_path`: a file in place of the prices that are built in; "" for those.
int run_cost(const io::Catalog& catalog, const CostOptions& options, const std::string& prices_path);
/// The prices themselves; with `search` only those whose id has these letters. `today` as for a question.
int run_prices(const io::Catalog& catalog, const std::string& search, bool json, const std::string& prices_path);
int run_api_prices(const io::Catalog& catalog, const std::string& search, bool json, const std::string& prices_path);
int run_rules(const io::Catalog& catalog, const ScenarioOptions& options);

/// What an estimate is asked about money, beside the scenario's own billing.
struct EstimateCost {
  bool asked = false;      ///< --cost
  std::string prices_path; ///< "" for the prices that are built in
  std::string today;       ///< "" takes the clock's
};

/// Adds the cost to an answer where it is asked for. The answer then points into `prices`.
void add_cost(io::Answer& answer, const io::Catalog& catalog, const EstimateCost& options, io::Prices& prices, Issues& issues);
/// What add_cost() added, as lines for people; "" without.
std::string cost_lines(const io::Answer& answer);

/// The catalogue with the devices of that file; issues name what is wrong with it. "" leaves it as it is.
io::Catalog with_devices(io::Catalog catalog, const std::string& path, Issues& issues);

} // namespace plimsoll::cli
