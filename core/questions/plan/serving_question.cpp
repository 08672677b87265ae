#include "questions/plan/serving_question.hpp"

#include "plimsoll/method/validate.hpp"
#include "questions/plan/words.hpp"
#include "request/spelling.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr PlanKey kKeys[] = {
    {"gpus", "How many GPUs: one number, or several with commas between them."},
    {"compare_devices", "Several devices to compare, with commas between them; otherwise the scenario's."},
    {"compare_engines", "Several engines to compare, such as vllm,sglang; otherwise the scenario's profile."},
    {"objective", "What the best way has: throughput, cost (of a token), latency (of a sequence), headroom or gpus."},
    {"least_rate", "Tokens per second that each sequence must get at least."},
    {"most_first_token", "Seconds that a prompt may take to its first token at most."},
    {"sequences", "Sequences that all replicas must hold at once at least."},
    {"top", "How many ways to list; 10 where nothing is said."},
    {"kind", "on_demand, spot or committed prices."},
    {"cloud", "Only prices of this cloud, such as AWS."},
};
constexpr std::array<std::string_view, kServingObjectives> kObjectiveNames = {"throughput", "cost", "latency", "headroom", "gpus"};
/// Of these, what the scenario states of formats stays in the setups; the rest is put in place layout by layout.
constexpr std::array<std::string_view, 6> kVaried = {"tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel", "data_parallel_attention", "batch"};
constexpr std::int64_t kMostConcurrent = 512; // sequences of a replica

class Reader {
public:
  Reader(const Catalog& catalog, const Request& request, Issues carried) : request_(in_own_spelling(catalog, request, carried)) { read_.issues = std::move(carried); }

  ReadServing read() && {
    read_limits();
    read_gpus();
    read_.stated = {stated("tensor_parallel"), stated("pipeline_parallel"), stated("expert_parallel"), {}};
    if (const auto value = stated("data_parallel_attention")) read_.stated.data_parallel_attention = static_cast<Switch>(*value);
    if (const std::string apart = word("disaggregation"); !apart.empty() && apart != "none")
      refuse("disaggregation", "A plan is of servers that read prompts and answer them.", "Leave disaggregation out; plimsoll load --splits tries the divisions of GPUs between two kinds of servers.");
    read_.weights_stated = request_.find("weight_dtype") != nullptr;
    read_.cache_stated = request_.find("kv_dtype") != nullptr;
    if (const auto batch = stated("batch")) read_.batches = {*batch};
    else
      for (std::int64_t more = 1; more <= kMostConcurrent; more *= 2) read_.batches.push_back(more);
    add_setups();
    return std::move(read_);
  }

private:
  void refuse(std::string_view field, std::string message, std::string remedy) { read_.issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)}); }

  std::int64_t number_key(std::string_view name, int decimals, std::int64_t standard) {
    const std::string* const text = request_.find(name);
    if (text == nullptr) return standard;
    const std::optional<std::int64_t> value = decimal_of(*text, decimals);
    if (value && *value > 0) return *value;
    refuse(name, std::string{name} + " is " + quoted(std::string_view{*text}) + ".", "Write a number above 0.");
    return standard;
  }

  void read_limits() {
    constexpr std::int64_t kMostListed = 1000;
    read_.least_rate = Count{number_key("least_rate", 3, 0)};
    read_.most_first = Nanoseconds{(Count{number_key("most_first_token", 3, 0)} * Count{1'000'000}).value};
    read_.sequences = number_key("sequences", 0, 0);
    read_.most = static_cast<std::size_t>(std::min(number_key("top", 0, 10), kMostListed));
    read_.kind = read_price_kind(request_, read_.issues);
    read_.cloud = word("cloud");
    const std::string* const text = request_.find("objective");
    if (text == nullptr) return;
    const std::optional<ServingObjective> objective = serving_objective_of(lower_case(trimmed(*text)));
    if (!objective) refuse("objective", "objective is " + quoted(std::string_view{*text}) + ", which is not one of its choices.", "Write throughput, cost, latency, headroom or gpus.");
    else read_.objective = *objective;
  }

  void read_gpus() {
    const std::string* const gpus = request_.find("gpus");
    for (const std::string& one : words_of(gpus != nullptr ? *gpus : "1,2,4,8")) {
      const std::optional<std::int64_t> count = decimal_of(one, 0);
      if (count && *count > 0 && *count <= 65'536) read_.gpus.push_back(*count);
      else refuse("gpus", "gpus is " + quoted(std::string_view{one}) + ".", "Write a whole number of GPUs, or several with commas between them.");
    }
  }

  std::string word(std::string_view name) const {
    const std::string* const text = request_.find(name);
    return text != nullptr ? lower_case(trimmed(*text)) : std::string{};
  }

  std::optional<std::int64_t> stated(std::string_view name) {
    const std::string* const text = request_.find(name);
    const Field& field = *find_field(name);
    std::optional<std::int64_t> value = text != nullptr ? parse_value(field, *text, read_.issues) : std::nullopt;
    if (value && field.kind == FieldKind::integer && (*value < field.min || *value > field.max)) read_.issues.push_back(out_of_range(field, *value)), value.reset();
    return value;
  }

  void add_setups() {
    Request scenario;
    for (const Entry& entry : request_.entries())
      if (std::ranges::none_of(kKeys, [&](const PlanKey& key) { return key.name == entry.name; }) && std::ranges::find(kVaried, entry.name) == kVaried.end())
        scenario.set(entry.name, entry.text);
    scenario.set("task", "inference");
    read_.setups = {std::move(scenario)};
    combine("compare_devices", "device");
    combine("compare_engines", "profile");
  }

  void combine(std::string_view list, std::string_view field) {
    const std::string* const text = request_.find(list);
    if (text == nullptr) return;
    std::vector<Request> more;
    for (const Request& setup : read_.setups)
      for (const std::string& one : words_of(*text)) {
        more.push_back(setup);
        more.back().set(field, one);
      }
    if (!more.empty()) read_.setups = std::move(more);
  }

  const Request request_;
  ReadServing read_;
};

} // namespace

std::span<const PlanKey> serving_plan_keys() noexcept { return kKeys; }
std::string_view name_of(ServingObjective objective) noexcept { return kObjectiveNames[static_cast<std::size_t>(objective)]; }
std::optional<ServingObjective> serving_objective_of(std::string_view name) noexcept {
  const auto at = std::ranges::find(kObjectiveNames, name);
  return at == kObjectiveNames.end() ? std::nullopt : std::optional{static_cast<ServingObjective>(at - kObjectiveNames.begin())};
}

ReadServing read_serving(const Catalog& catalog, const Request& request, Issues carried) { return Reader{catalog, request, std::move(carried)}.read(); }

bool plans_serving(const Request& request) {
  const std::string* const task = request.find("task");
  Issues ignored;
  return task != nullptr && parse_value(*find_field("task"), *task, ignored) == static_cast<std::int64_t>(Task::inference);
}

} // namespace plimsoll::io
