#include "questions/plan/question.hpp"

#include "catalog/abilities.hpp"
#include "catalog/compatibility.hpp"
#include "method/plan/layouts.hpp"
#include "plimsoll/catalog/shown_value.hpp"
#include "plimsoll/method/validate.hpp"
#include "questions/plan/fleets.hpp"
#include "questions/plan/searched.hpp"
#include "questions/plan/words.hpp"
#include "request/spelling.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr PlanKey kKeys[] = {
    {"gpus", "How many GPUs: one number, or several with commas between them, of which plans are compared."},
    {"compare_devices", "Several devices to compare, with commas between them; otherwise the scenario's."},
    {"compare_methods", "Fine-tuning: several methods to compare, such as full,lora,qlora; otherwise the scenario's. qlora is lora over nf4 weights."},
    {"compare_optimizers", "Several optimizers to compare, with commas between them; otherwise the scenario's."},
    {"compare_precisions", "Several precisions to compare, with commas between them: values of precision, and fp8, which is fp8=compute beside the usual one."},
    {"objective", "What the best plan has: time, cost, headroom, gpus, energy, or safest: the least chance of running out of memory."},
    {"budget", "In dollars: no plan that costs more for the job."},
    {"deadline", "In hours: no plan whose job takes longer."},
    {"global_batch", "Sequences of all replicas in one step. Left out: as the scenario's replicas, micro-batches and batch say, or a usual number."},
    {"top", "How many plans to list; 10 where nothing is said."},
    {"exhaustive", "true: judge every strategy, which takes longer and finds the same plans."},
    {"kind", "on_demand, spot or committed prices."},
    {"cloud", "Only prices of this cloud, such as AWS."},
};

bool is_key(std::string_view name) {
  return std::ranges::any_of(kKeys, [&](const PlanKey& key) { return key.name == name; });
}

class Reader {
public:
  Reader(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried) : catalog_(catalog), prices_(prices), request_(in_own_spelling(catalog, request, carried)) {
    read_.issues = std::move(carried);
  }

  ReadPlan read() && {
    take_apart();
    base_ = io::answer(catalog_, bare_);
    abilities_ = abilities_of(base_.profile_id);
    for (const Issue& issue : base_.issues) read_.issues.push_back(issue);
    if (has_errors(read_.issues)) return std::move(read_);
    if (!trains(base_.inputs.workload.task)) return refused("task", "A plan is for training, and the task is inference.", "Set task to finetune or pretrain.");
    if (base_.inputs.composition.method != Preference::none)
      return refused("preference", "Models beside the one that trains are not searched.", "Leave preference out, and ask for its memory at the plan that you choose.");
    name_precision();
    name_dispatch();
    name_overlap();
    read_limits();
    read_work();
    read_global_batch();
    add_variants();
    // Where degrees leave little to choose from, plans differ in what else there is.
    if (planning::layouts_of(read_.question).size() < read_.most) read_.question.one_per_layout = false;
    return std::move(read_);
  }

private:
  const std::string* key(std::string_view name) const { return request_.find(name); }

  ReadPlan refused(std::string_view field, std::string message, std::string remedy) {
    refuse(field, std::move(message), std::move(remedy));
    return std::move(read_);
  }
  void refuse(std::string_view field, std::string message, std::string remedy) {
    read_.issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)});
  }
  void note(std::string_view field, std::string message, std::string remedy) {
    read_.issues.push_back({Severity::note, std::string{field}, std::move(message), std::move(remedy)});
  }

  /// The scenario without what is searched, and what of that it states.
  void take_apart() {
    for (const Entry& entry : request_.entries()) {
      if (is_searched(entry.name)) stated_.set(entry.name, entry.text);
      else if (!is_key(entry.name)) bare_.set(entry.name, entry.text);
    }
    if (bare_.find("task") == nullptr) bare_.set("task", "finetune");
    if (bare_.find("profile") == nullptr) {
      const std::string assumed = framework();
      bare_.set("profile", assumed);
      note("profile", "No framework is named: " + assumed + "'s abilities and memory are assumed.", "Name one as profile, such as megatron or deepspeed.");
    }
  }

  /// The one that divides most ways, of those that run the weights that are frozen.
  std::string framework() const {
    const std::string* const weights = bare_.find("weight_dtype");
    const std::string* const device = bare_.find("device");
    const DeviceRow* const row = device != nullptr ? catalog_.find_device(*device) : nullptr;
    const bool runs = weights == nullptr || row == nullptr || !incompatible(catalog_, "torchtitan", *row, *weights);
    return runs ? "torchtitan" : "fsdp1";
  }

  /// Of the framework, where the question states none.
  void name_precision() {
    const FieldState* const precision = base_.find_field("precision");
    if (precision == nullptr || precision->stated || precision->default_citation.empty()) return;
    note("precision", "The precision is the framework's own: " + shown_value(catalog_, *precision->field, precision->text) + ".", "State the precision where yours is another.");
  }

  /// How tokens go to experts, where that is not stated: it depends on what is installed.
  void name_dispatch() {
    if (!has_experts(base_.inputs.model) || !abilities_ || !abilities_->expert_parallel || stated_.find("dispatch") != nullptr || stated_.find("expert_overlap") != nullptr) return;
    if (abilities_->overlaps_experts)
      note("dispatch", "Where experts are divided, tokens go once to each node (DeepEP, HybridEP) where the GPU's kernels for it exist, beside another micro-batch's passes where the schedule lets them.",
           "State dispatch=all_to_all, or expert_overlap=false, where yours does not.");
    else
      note("dispatch", "Tokens are sent to each of their experts one by one, and nothing hides how long they are on their way.",
           "State dispatch=once for DeepEP or HybridEP, and expert_overlap=true where another micro-batch's passes hide it.");
  }

  /// The same of what tensor groups send.
  void name_overlap() {
    if (has_experts(base_.inputs.model) || !abilities_ || !abilities_->overlaps_tensor || stated_.find("communication_overlap") != nullptr) return;
    note("communication_overlap", "Where tensor groups divide layers, what they send runs beside multiplications (Transformer Engine's user buffers, --tp-comm-overlap).", "State communication_overlap=false where yours does not.");
  }

  template <class Value> std::optional<Value> number_key(std::string_view name, int decimals, const char* remedy) {
    const std::string* const text = key(name);
    if (text == nullptr) return std::nullopt;
    const std::optional<std::int64_t> value = decimal_of(*text, decimals);
    if (value && *value > 0) return Value{*value};
    refuse(name, std::string{name} + " is " + quoted(std::string_view{*text}) + ".", remedy);
    return std::nullopt;
  }

  void read_limits() {
    PlanQuestion& question = read_.question;
    if (const std::string* const text = key("objective")) {
      if (const std::optional<Objective> objective = objective_of(lower_case(trimmed(*text)))) question.objective = *objective;
      else refuse("objective", "objective is " + quoted(std::string_view{*text}) + ", which is not one of its choices.", "Write time, cost, headroom, gpus, energy or safest.");
    }
    question.budget = number_key<Money>("budget", 6, "Write dollars, such as 5000.");
    if (const auto hours = number_key<Count>("deadline", 3, "Write hours, such as 72.")) question.deadline = Nanoseconds{(*hours * Count{3'600'000'000}).value};
    if (const auto top = number_key<Count>("top", 0, "Write a whole number, such as 10.")) read_.most = static_cast<std::size_t>(std::min<std::int64_t>(top->value, kMostListed));
    if (const std::string* const text = key("exhaustive")) {
      if (const std::optional<bool> exhaustive = flag_of(*text)) question.exhaustive = *exhaustive;
      else refuse("exhaustive", "exhaustive is " + quoted(std::string_view{*text}) + ".", "Write true or false.");
    }
    kind_ = read_price_kind(request_, read_.issues);
    question.most = std::max(read_.most * kSpare, kFewestRanked);
  }

  void read_work() {
    const Job& job = base_.inputs.job;
    const std::int64_t stated = base_.inputs.workload.task == Task::pretrain ? job.train_tokens : (Count{job.dataset_tokens} * Count{job.epochs}).value;
    if (stated > 0) read_.question.tokens = stated;
    else note("train_tokens", "Times and costs are those of one billion tokens.", "State what the job trains on: tokens in all, or the data set's and how often it is read.");
  }

  void read_global_batch() {
    PlanQuestion& question = read_.question;
    const auto sequences = [&](std::string_view name) {
      const std::string* const text = stated_.find(name);
      const std::optional<std::int64_t> value = text != nullptr ? parse_value(*find_field(name), *text, read_.issues) : std::nullopt;
      return value && *value > 0 ? *value : std::int64_t{1};
    };
    if (const auto stated = number_key<Count>("global_batch", 0, "Write a whole number of sequences.")) {
      question.global_batch = std::min<std::int64_t>(stated->value, 100'000'000);
      return;
    }
    if (stated_.find("micro_batches") != nullptr && stated_.find("data_parallel") != nullptr) {
      question.global_batch = (Count{sequences("batch")} * (Count{sequences("micro_batches")} * Count{sequences("data_parallel")})).value;
      return;
    }
    // Four million tokens, as Llama 2 and 3 were pre-trained (arXiv 2307.09288, section 2.2; arXiv 2407.21783, section 3.4.1), a quarter
    // of that for fine-tuning, in a power of two of sequences.
    const std::int64_t tokens = base_.inputs.workload.task == Task::pretrain ? std::int64_t{1} << 22 : std::int64_t{1} << 20;
    std::int64_t batch = 1;
    while (Count{2 * batch} * Count{base_.inputs.workload.context_tokens} <= Count{tokens}) batch *= 2;
    question.global_batch = batch;
    note("global_batch", "A step of " + std::to_string(batch) + " sequences is assumed.", "State the global batch where yours is another.");
  }

  std::vector<std::int64_t> gpus() {
    const std::string* const text = key("gpus");
    std::vector<std::int64_t> counts;
    constexpr std::int64_t kMostGpus = 1'000'000;
    for (const std::string& word : words_of(text != nullptr ? *text : "8")) {
      const std::optional<std::int64_t> count = decimal_of(word, 0);
      if (count && *count > 0 && *count <= kMostGpus) counts.push_back(*count);
      else refuse("gpus", "gpus is " + quoted(std::string_view{word}) + ".", "Write a whole number of GPUs, or several with commas between them.");
    }
    if (text == nullptr) note("gpus", "8 GPUs are assumed.", "State gpus.");
    return counts;
  }

  /// Requests of every combination of the lists.
  std::vector<Request> requests() const {
    std::vector<Request> all{bare_};
    const auto combine = [&](std::string_view name, auto&& set) {
      const std::string* const list = key(name);
      if (list == nullptr) return;
      std::vector<Request> more;
      for (const Request& request : all)
        for (const std::string& word : words_of(*list)) {
          more.push_back(request);
          set(more.back(), word);
        }
      if (!more.empty()) all = std::move(more);
    };
    combine("compare_devices", [](Request& request, const std::string& word) { request.set("device", word); });
    combine("compare_methods", [](Request& request, const std::string& word) {
      request.set("method", word == "qlora" ? "lora" : word);
      if (word == "qlora") request.set("weight_dtype", "nf4");
      if (word == "full") request.erase("weight_dtype");
    });
    combine("compare_optimizers", [](Request& request, const std::string& word) { request.set("optimizer", word); });
    combine("compare_precisions", [](Request& request, const std::string& word) {
      const bool fp8 = word == "fp8";
      request.set(fp8 ? "fp8" : "precision", fp8 ? "compute" : word);
    });
    return all;
  }

  void add_variants() {
    const std::vector<std::int64_t> counts = gpus();
    for (const Request& request : requests()) {
      Answer one = io::answer(catalog_, request);
      if (!one.ok) {
        for (Issue& issue : one.issues)
          if (issue.severity == Severity::error) read_.issues.push_back(std::move(issue));
        continue;
      }
      PlanSetup setup{request_from_canonical(one), {}};
      PlanVariant variant{std::move(one.inputs), std::move(one.scenario.profile), {}};
      for (const std::int64_t count : counts) {
        setup.fleets.push_back(priced_fleet(prices_, variant.inputs, count, kind_, text_key("cloud")));
        variant.fleets.push_back({count, setup.fleets.back().hourly});
      }
      PlanAxes axes = usual_axes(variant, abilities_.value_or(PlanAbilities{}), read_.question.global_batch);
      keep_stated(axes);
      check_modules(variant, axes);
      read_.question.variants.push_back(std::move(variant));
      read_.question.axes.push_back(std::move(axes));
      read_.setups.push_back(std::move(setup));
    }
    warn_of_prices();
  }

  std::string text_key(std::string_view name) const {
    const std::string* const text = key(name);
    return text != nullptr ? lower_case(trimmed(*text)) : std::string{};
  }

  Request request_from_canonical(const Answer& answer) {
    Issues ignored;
    return request_from_query(canonical_query(answer), ignored);
  }

  void warn_of_prices() {
    const bool about_cost = read_.question.objective == Objective::cost || read_.question.budget;
    for (const PlanSetup& setup : read_.setups)
      for (const PricedFleet& fleet : setup.fleets)
        if (fleet.hourly == Money{0}) {
          const Issue issue{about_cost ? Severity::warning : Severity::note, "price_per_gpu_hour", "No price is listed for " + fleet.device + ": its plans cost nothing here.",
                            "Give your own price_per_gpu_hour, another kind or cloud, or a file of prices."};
          if (std::ranges::none_of(read_.issues, [&](const Issue& other) { return other.message == issue.message; })) read_.issues.push_back(issue);
        }
  }

  /// The stated value of a searched field; nothing where it is not stated.
  std::optional<std::int64_t> stated(std::string_view name) {
    const std::string* const text = stated_.find(name);
    if (text == nullptr) return std::nullopt;
    const Field& field = *find_field(name);
    std::optional<std::int64_t> value = parse_value(field, *text, read_.issues);
    if (value && field.kind == FieldKind::integer && (*value < field.min || *value > field.max)) read_.issues.push_back(out_of_range(field, *value)), value.reset();
    return value;
  }

  void keep_stated(PlanAxes& axes) {
    for (const SearchedField& searched : searched_fields()) {
      const std::string* const text = stated_.find(searched.field);
      if (text == nullptr) continue;
      if (searched.keep_list != nullptr) {
        if (auto list = parse_list(*find_field(searched.field), *text, read_.issues); list && !list->empty()) searched.keep_list(axes, *std::move(list));
        continue;
      }
      const auto value = stated(searched.field);
      if (value && searched.keep != nullptr) searched.keep(axes, *value);
      else if (value && axes_noted_.insert(searched.field))
        note(searched.field, std::string{searched.field} + " follows from the number of GPUs and the global batch.", "Leave it out.");
    }
    if (!axes.shardings.empty()) return;
    const std::string_view groups = stated_.find("shard_group") != nullptr ? "shard_group" : "secondary_group";
    if (axes_noted_.insert(groups)) refuse(groups, "No sharding that is searched has such groups.", "State another sharding or framework, or leave " + std::string{groups} + " out.");
  }

  /// A search only leaves out what cannot run.
  void check_modules(const PlanVariant& variant, const PlanAxes& axes) {
    const auto selective = std::ranges::find(axes.recomputes, Recompute::selective, &RecomputeChoice::recompute);
    if (stated_.find("recompute_modules") == nullptr || selective == axes.recomputes.end()) return;
    Inputs inputs = variant.inputs;
    inputs.strategy.recompute = selective->recompute;
    inputs.strategy.recompute_modules = selective->modules;
    for (Issue& issue : errors_of(inputs, variant.profile))
      if (issue.field == "recompute_modules" && axes_noted_.insert("recompute_modules")) read_.issues.push_back(std::move(issue));
  }

  struct Noted {
    std::vector<std::string_view> names;
    bool insert(std::string_view name) {
      if (std::ranges::find(names, name) != names.end()) return false;
      names.push_back(name);
      return true;
    }
  };

  static constexpr std::int64_t kMostListed = 1000;
  static constexpr std::size_t kSpare = 4; ///< plans ranked for one that is shown: the whole process may not admit the others
  static constexpr std::size_t kFewestRanked = 40; ///< so that a single plan asked for is found where others are not admitted

  const Catalog& catalog_;
  const Prices& prices_;
  const Request request_;
  Request bare_, stated_;
  Answer base_;
  std::optional<PlanAbilities> abilities_;
  Noted axes_noted_;
  PriceKind kind_ = PriceKind::on_demand;
  ReadPlan read_;
};

} // namespace

std::span<const PlanKey> plan_keys() noexcept { return kKeys; }

Request left_open(const Request& request) {
  Request open;
  for (const Entry& entry : request.entries())
    if (!is_searched(entry.name) && entry.name != "data_parallel" && entry.name != "micro_batches") open.set(entry.name, entry.text);
  return open;
}

ReadPlan read_plan(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried) {
  return Reader{catalog, prices, request, std::move(carried)}.read();
}

/// As canonical_query() orders them: what every query begins with, then the order of the field tables.
Request request_of(const ReadPlan& read, const PlanChoice& choice) {
  const Request& setup = read.setups[choice.variant].request;
  const Inputs inputs = inputs_of(read.question, choice);
  const auto task = static_cast<std::size_t>(inputs.workload.task);
  Request request;
  for (const std::string_view name : {"model", "device", "task"})
    if (const std::string* const text = setup.find(name)) request.set(name, *text);
  for (const Field& field : fields()) {
    if (const std::string* const text = setup.find(field.name)) request.set(field.name, *text);
    if (!is_searched(field.name)) continue;
    if (field.list != nullptr) {
      if (const std::vector<std::int64_t>& list = field.list(inputs); !list.empty()) request.set(field.name, text_of(list));
      continue;
    }
    const std::int64_t value = field.get(inputs);
    if (value != field.defaults[task] && !is_idle(field, inputs)) request.set(field.name, text_of(field, value));
  }
  return request;
}

} // namespace plimsoll::io
