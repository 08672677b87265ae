// A question about cost from its entries.
#include "plimsoll/answer/costs.hpp"

#include "plimsoll/catalog/names.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/validate.hpp"
#include "request/meaning.hpp"
#include "request/spelling.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr CostKey kKeys[] = {
    {"device", "The GPUs, by their catalogue id."},
    {"gpus", "How many of them work."},
    {"hours", "How long they take, in hours on the clock, such as 2.5."},
    {"gpu_hours", "Or how long all of them take together, in hours."},
    {"ways", "More than one way of doing it, as device:gpus:hours, with commas between them: h100-80-sxm:64:100,a100-80-sxm:64:210."},
    {"node_gpus", "GPUs that must stand in one instance. Left out: as many as the usual node has, 8 at most."},
    {"task", "inference, finetune or pretrain: GPUs that serve draw less power."},
    {"tokens_per_second", "Of all GPUs together, for the price of a million tokens."},
    {"cloud", "Only prices of this cloud, such as AWS."},
    {"region", "Only prices of this region."},
    {"kind", "on_demand, spot, committed or historical prices."},
    {"budget", "In dollars: what the fastest way within it is, is told."},
    {"today", "The date as YYYY-MM-DD: older prices come with a warning."},
};

constexpr std::int64_t kMostGpus = 10'000'000, kMostHours = 100'000'000, kSecondsOfHour = 3600;

class Reader {
public:
  Reader(const Catalog& catalog, const Request& request, Issues& issues) : catalog_(catalog), request_(request), issues_(issues) {}

  CostQuestion read() {
    CostQuestion question;
    question.training = read_task() != 0;
    read_billing(question);
    read_ways(question);
    question.cloud = text("cloud");
    question.region = text("region");
    question.kind = read_price_kind(request_, issues_);
    if (const auto dollars = number("budget", 6, 1, 1'000'000'000'000'000'000, "Write dollars, such as 5000.")) question.budget = Money{*dollars};
    question.today = text("today");
    if (!question.today.empty() && !days_between(question.today, question.today))
      refuse("today", "today is " + quoted(std::string_view{question.today}) + ", which is not a date.", "Write it as YYYY-MM-DD.");
    report_unknown();
    return question;
  }

private:
  std::string text(std::string_view name) const {
    const std::string* typed = request_.find(name);
    return typed != nullptr ? std::string{trimmed(*typed)} : std::string{};
  }

  [[gnu::cold]] void refuse(std::string_view field, std::string message, std::string remedy) {
    issues_.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)});
  }

  std::optional<std::int64_t> in_range(std::string_view field, std::string_view typed, int decimals, std::int64_t least, std::int64_t most, const char* remedy) {
    const std::optional<std::int64_t> value = decimal_of(typed, decimals);
    if (value && *value >= least && *value <= most) return value;
    refuse(field, std::string{field} + " is " + quoted(typed) + ".", remedy);
    return std::nullopt;
  }

  std::optional<std::int64_t> number(std::string_view name, int decimals, std::int64_t least, std::int64_t most, const char* remedy) {
    const std::string* typed = request_.find(name);
    return typed != nullptr ? in_range(name, *typed, decimals, least, most, remedy) : std::nullopt;
  }

  std::int64_t read_task() {
    const std::string* typed = request_.find("task");
    if (typed == nullptr) return 1;
    return parse_value(*find_field("task"), *typed, issues_).value_or(1);
  }

  void read_billing(CostQuestion& question) {
    Inputs inputs;
    for (const Field& field : fields()) {
      if (field.topic != Topic::cost) continue;
      field.set(inputs, field.defaults[question.training ? 1 : 0]);
      const std::string* typed = request_.find(field.name);
      if (typed == nullptr) continue;
      const std::optional<std::int64_t> value = parse_value(field, *typed, issues_);
      if (!value) continue;
      if (*value < field.min || *value > field.max) issues_.push_back(out_of_range(field, *value));
      else field.set(inputs, *value);
    }
    question.billing = inputs.billing;
  }

  std::string device_of(std::string_view field, const std::string& typed) {
    const NamedDevice named = device_named(catalog_, typed);
    if (named.row != nullptr) return named.row->hardware.id;
    std::vector<std::string> ids;
    for (const DeviceRow* const row : named.candidates) ids.push_back(row->hardware.id);
    if (ids.empty()) ids = catalog_.similar_devices(typed);
    refuse(field, "There is no device " + quoted(std::string_view{typed}) + " in the catalogue.", ids.empty() ? "`plimsoll catalog devices` lists all." : "Did you mean " + joined_with_or(ids) + "?");
    return {};
  }

  Count gpus_of(std::string_view field, std::string_view typed) {
    return Count{in_range(field, typed, 0, 1, kMostGpus, "Write a whole number of GPUs from 1 on.").value_or(1)};
  }

  /// Hours with three digits behind the point, as begun seconds.
  Count seconds_of(std::string_view field, std::string_view typed) {
    const std::int64_t hours = in_range(field, typed, 3, 0, kMostHours * 1000, "Write hours, such as 2.5.").value_or(0);
    return ceil_div(Count{hours} * Count{kSecondsOfHour}, Count{1000});
  }

  void read_ways(CostQuestion& question) {
    if (const std::string* typed = request_.find("ways")) read_list(question, *typed);
    if (request_.find("device") != nullptr || question.ways.empty()) question.ways.insert(question.ways.begin(), read_way());
    const Count node{number("node_gpus", 0, 1, kMostGpus, "Write a whole number of GPUs from 1 on.").value_or(0)};
    const std::int64_t rate = number("tokens_per_second", 3, 1, 1'000'000'000'000, "Write tokens per second, such as 1500.").value_or(0);
    for (DeploymentOption& way : question.ways) {
      way.node = min(node, way.gpus);
      way.token_rate = rate;
    }
  }

  DeploymentOption read_way() {
    DeploymentOption way;
    const std::string* device = request_.find("device");
    way.device = device != nullptr ? device_of("device", *device) : std::string{kDefaultDevice};
    if (const std::string* typed = request_.find("gpus")) way.gpus = gpus_of("gpus", *typed);
    const std::string* const hours = request_.find("hours");
    const std::string* const together = request_.find("gpu_hours");
    if (hours != nullptr && together != nullptr) refuse("gpu_hours", "hours and gpu_hours are both given.", "Give one of them.");
    else if (hours != nullptr) way.seconds = seconds_of("hours", *hours);
    else if (together != nullptr) way.seconds = cost::seconds_of_gpu_time(seconds_of("gpu_hours", *together), way.gpus).count();
    else refuse("hours", "The duration is not known.", "Give hours, such as hours=100, or gpu_hours.");
    return way;
  }

  void read_list(CostQuestion& question, std::string_view list) {
    constexpr std::size_t kMostWays = 100;
    while (!list.empty() && question.ways.size() < kMostWays) {
      const std::string_view one = list.substr(0, list.find(','));
      list.remove_prefix(std::min(one.size() + 1, list.size()));
      const std::size_t first = one.find(':'), second = first == one.npos ? one.npos : one.find(':', first + 1);
      if (second == one.npos) {
        refuse("ways", quoted(one) + " is no way.", "Write device:gpus:hours, such as h100-80-sxm:64:100.");
        continue;
      }
      DeploymentOption way;
      way.device = device_of("ways", std::string{one.substr(0, first)});
      way.gpus = gpus_of("ways", one.substr(first + 1, second - first - 1));
      way.seconds = seconds_of("ways", one.substr(second + 1));
      question.ways.push_back(std::move(way));
    }
  }

  void report_unknown() {
    std::vector<std::string> names;
    for (const CostKey& key : kKeys) names.emplace_back(key.name);
    for (const Field& field : fields())
      if (field.topic == Topic::cost) names.emplace_back(field.name);
    for (const Entry& entry : request_.entries())
      if (std::ranges::find(names, entry.name) == names.end())
        issues_.push_back({Severity::warning, entry.name, quoted(std::string_view{entry.name}) + " is not asked for a cost; it is ignored.",
                           "Did you mean " + joined_with_or(most_similar(entry.name, names, 2)) + "? Otherwise leave it out."});
  }

  const Catalog& catalog_;
  const Request& request_;
  Issues& issues_;
};

} // namespace

std::span<const CostKey> cost_keys() noexcept { return kKeys; }

CostQuestion cost_question(const Catalog& catalog, const Request& request, Issues& issues) {
  const Request meant = as_meant(catalog, request, issues);
  return Reader{catalog, meant, issues}.read();
}

} // namespace plimsoll::io
