#include "answer/stored_as.hpp"
#include "catalog/compatibility.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/text/other_names.hpp"
#include "questions/solve/candidates.hpp"
#include "questions/solve/fleets.hpp"
#include "request/spelling.hpp"
#include "text/value.hpp"

#include <functional>
#include <utility>

namespace plimsoll::io {

namespace {

std::string_view field_of(std::string_view name, const Request& request) {
  if (name == "weights") return "weight_dtype";
  if (const std::string_view own = same_as(name); !own.empty() && own != "gpus") return own;
  return name == "gpus" && serves(request) ? "tensor_parallel" : name;
}

} // namespace

class SolveSession::Solver {
public:
  Solver(const Catalog& catalog, const Request& request, const SolveQuestion& question, Issues carried, Judge judge) : catalog_(catalog), request_(in_own_spelling(catalog, request, carried)), judge_(judge) {
    solved_.question = {question.goal, std::string{field_of(question.field, request_)}};
    if (name() != "model") request_.erase(name()); // whose family
    if (question.field == "gpus") request_.erase("gpus");
    base_ = answer(catalog_, request_, std::move(carried));
    solved_.issues = base_.issues;
    if (!has_errors(solved_.issues)) begin();
  }

  /// A step of a trial more. False once all is done.
  bool advance() {
    if (by_field_ && by_field_->advance()) return true;
    if (by_list_ && by_list_->advance()) return true;
    if (by_field_) take(std::move(*by_field_).solution()), tell_query();
    if (by_list_) finish_list();
    by_field_.reset();
    by_list_.reset();
    return false;
  }

  Solved solved() && { return std::move(solved_); }

private:
  const std::string& name() const { return solved_.question.field; }
  std::string quoted_name() const { return "\"" + name().substr(0, 64) + "\""; }

  void refuse(std::string message, std::string remedy) {
    solved_.issues.push_back({Severity::error, name(), std::move(message), std::move(remedy)});
  }

  Profile engine(std::string_view arch) const { return *catalog_.profile(catalog_.default_profile(false), arch); }

  std::vector<Candidate> weights() const {
    const bool stored = !trains(base_.inputs.workload.task) || freezes(base_.inputs.workload.task, base_.inputs.tuning);
    return stored ? weights_by_size(catalog_, base_) : std::vector<Candidate>{};
  }

  void begin() {
    const Field* const field = find_field(name());
    if (is_fleet()) return begin_fleets();
    if (field == nullptr) refuse("There is no input " + quoted_name() + ".", "`plimsoll fields` lists the inputs.");
    else if (name() == "model") begin_sizes(models_by_size(catalog_, base_.inputs.model.id), Goal::largest);
    else if (name() == "device") begin_sizes(devices_by_size(catalog_), Goal::smallest);
    else if (name() == "weight_dtype") begin_sizes(weights(), Goal::largest);
    else by_field_.emplace(base_.inputs, base_.scenario.profile, engine_.emplace(engine(base_.inputs.hardware.arch)), *field, solved_.question.goal, judge_);
    if (!by_field_ && !by_list_) tell_query();
  }

  bool is_fleet() const { return name() == "gpus" || name() == "instance"; }

  /// The inputs with that candidate in place.
  TrialSession with(std::string_view id) const {
    if (name() == "model") return with_model(id);
    Inputs inputs = base_.inputs;
    if (name() == "weight_dtype") {
      inputs.weights = store(inputs.model, *stored_as(catalog_.weights(), id, own_format(catalog_, base_)));
      return TrialSession{inputs, base_.scenario.profile, engine(inputs.hardware.arch), judge_};
    }
    const DeviceRow& device = *catalog_.find_device(id);
    if (const auto found = incompatible(catalog_, base_.profile_id, device, inputs.weights.scheme, base_.architecture)) {
      Trial trial;
      trial.issues.push_back({Severity::error, found->field, found->message, found->remedy});
      return trial;
    }
    inputs.hardware = device.hardware;
    const Implementation asked = trains(inputs.workload.task) ? inputs.implementation : Implementation{};
    return TrialSession{inputs, *catalog_.profile(base_.profile_id, inputs.hardware.arch, asked), engine(inputs.hardware.arch), judge_};
  }

  /// A model brings its own facts and its own format of weights.
  TrialSession with_model(std::string_view id) const {
    Request request = request_;
    edit(request, "model", id);
    const Answer there = answer(catalog_, request);
    if (there.ok) return TrialSession{there.inputs, there.scenario.profile, engine(there.inputs.hardware.arch), judge_};
    Trial trial;
    trial.issues = there.issues;
    std::erase_if(trial.issues, [](const Issue& issue) { return issue.severity != Severity::error; });
    return trial;
  }

  void begin_fleets() {
    const bool counts = name() == "gpus";
    if (solved_.question.goal != Goal::smallest)
      return refuse(counts ? "More GPUs fit too." : "Dearer instances fit too.", counts ? "Ask for the smallest gpus." : "Ask for the smallest instance, which is the cheapest.");
    prices_ = Prices::load(catalog_);
    offers_ = counts ? fleets_by_size(base_.inputs.hardware.id) : offers_by_price(*prices_);
    for (const Offer& offer : offers_) ids_.push_back(offer.id);
    begin_list([this](std::int64_t index) {
      OnFleet there = on_fleet(catalog_, *prices_, request_, offers_[static_cast<std::size_t>(index)], judge_);
      if (there.scenario) scenario_ = std::move(there.scenario);
      return std::move(there.trial);
    });
  }

  void begin_sizes(const std::vector<Candidate>& candidates, Goal possible) {
    if (solved_.question.goal != possible)
      return refuse(possible == Goal::smallest ? "Any larger device fits too." : name() == "model" ? "Any smaller model fits too." : "Fewer bits fit too.",
                    possible == Goal::smallest ? "Ask for the smallest device." : "Ask for the largest.");
    if (candidates.empty()) return refuse("Nothing of the catalogue suits " + quoted_name() + " here.", "Ask for another field, or choose another task.");
    for (const Candidate& candidate : candidates) ids_.push_back(candidate.id);
    begin_list([this](std::int64_t index) { return with(ids_[static_cast<std::size_t>(index)]); });
  }

  /// Every one of `ids_`, the best first.
  void begin_list(std::function<TrialSession(std::int64_t)> trial) {
    by_list_.emplace(Search{.low = 0, .high = static_cast<std::int64_t>(ids_.size()) - 1, .goal = solved_.question.goal, .method = Method::exhaustive, .trial = std::move(trial)});
  }

  void finish_list() {
    take(std::move(*by_list_).solution());
    if (!is_fleet()) {
      if (!solved_.answer) refuse("Nothing of the catalogue fits: " + solved_.next->value + " would need " + format_bytes(solved_.next->trial.needs) + " of " +
                                  format_bytes(solved_.next->trial.usable) + ".", "Use more GPUs, or ask less of each.");
      return tell_query();
    }
    if (scenario_) solved_.query = canonical_query(answer(catalog_, *scenario_));
    else refuse(name() == "gpus" ? "Nothing fits on any number of GPUs that was tried." : "Nothing fits on any instance that somebody offers.", "Train adapters, quantise, or ask for a shorter context.");
  }

  void take(Solution solution) {
    solved_.method = solution.method;
    solved_.tried = solution.tried;
    const auto told = [&](std::optional<Step>& from) {
      return from ? std::optional<SolvedStep>{{by_list_ ? ids_[static_cast<std::size_t>(from->value)] : plimsoll::text_of(*find_field(name()), from->value), std::move(from->trial)}} : std::nullopt;
    };
    solved_.answer = told(solution.answer);
    solved_.next = told(solution.next);
    for (Issue& issue : solution.issues) solved_.issues.push_back(std::move(issue));
  }

  /// The scenario with the answer in place.
  void tell_query() {
    if (solved_.answer) request_.set(name(), solved_.answer->value);
    const Answer there = solved_.answer ? answer(catalog_, request_) : base_;
    solved_.query = canonical_query(there);
    for (const Issue& issue : there.issues) // e.g. more tokens than the model was made for
      if (solved_.answer && issue.field == name()) solved_.issues.push_back(issue);
  }

  const Catalog& catalog_;
  Request request_;
  Judge judge_;
  Answer base_;
  Solved solved_;
  std::optional<Profile> engine_;
  std::optional<FieldSession> by_field_; ///< a whole number of the scenario, or
  std::optional<SearchSession> by_list_; ///< ids, of which every one is tried
  std::vector<std::string> ids_;
  std::optional<Prices> prices_;         ///< of fleets
  std::vector<Offer> offers_;
  std::optional<Request> scenario_;      ///< on the fleet that holds
};

SolveSession::SolveSession(const Catalog& catalog, const Request& request, const SolveQuestion& question, Issues carried, Judge judge)
    : solver_(std::make_unique<Solver>(catalog, request, question, std::move(carried), judge)) {}
SolveSession::~SolveSession() = default;
SolveSession::SolveSession(SolveSession&&) noexcept = default;
SolveSession& SolveSession::operator=(SolveSession&&) noexcept = default;

bool SolveSession::advance() { return solver_->advance(); }
Solved SolveSession::solved() && { return std::move(*solver_).solved(); }

Solved solve(const Catalog& catalog, const Request& request, const SolveQuestion& question, Issues carried, Judge judge) {
  SolveSession session{catalog, request, question, std::move(carried), judge};
  while (session.advance()) {}
  return std::move(session).solved();
}

std::vector<SolveQuestion> usual_questions(const Answer& answer) {
  std::vector<SolveQuestion> questions{{Goal::largest, "context_tokens"}, {Goal::largest, "batch"}};
  const Task task = answer.inputs.workload.task;
  const bool stored = !trains(task) || freezes(task, answer.inputs.tuning);
  if (const Field* rank = find_field("rank"); applies(*rank, task) && !is_idle(*rank, answer.inputs)) questions.push_back({Goal::largest, "rank"});
  if (stored) questions.push_back({Goal::largest, "weight_dtype"});
  if (!trains(task) && answer.ok && answer.scenario.profile.inference.offloads_layers) questions.push_back({Goal::largest, "gpu_layers"});
  else questions.push_back({Goal::smallest, "tensor_parallel"});
  questions.push_back({Goal::smallest, "device"});
  return questions;
}

} // namespace plimsoll::io
