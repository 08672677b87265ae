// However a value is written, as long as one command reads it: every command reads it, and answers as to the field's own spelling.
#include "scenarios.hpp"

#include "plimsoll/answer/costs.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/compare.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/sensitivity.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace plimsoll;

namespace {

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string capitalised(const std::string& text) { return upper_case(text.substr(0, 1)) + text.substr(std::min<std::size_t>(1, text.size())); }

/// "12,345"
std::string with_separators(std::string digits) {
  for (std::size_t at = digits.size(); at > 3 && digits[at - 4] != '-';) digits.insert(at -= 3, ",");
  return digits;
}

/// Other ways to write what is written as `text`; which of them are read, estimate says.
std::vector<std::string> spellings(const Field& field, const std::string& text) {
  switch (field.kind) {
    case FieldKind::integer: return {" " + text + "\t", with_separators(text), "0" + text};
    case FieldKind::choice: return {upper_case(text), capitalised(text), " " + text};
    case FieldKind::flag:
      return text == "true" ? std::vector<std::string>{"1", "yes", "TRUE", "Yes ", " True"} : std::vector<std::string>{"0", "no", "FALSE", "No ", " False"};
    case FieldKind::id: return {upper_case(text), capitalised(text)};
    case FieldKind::text: break;
  }
  return {};
}

/// Other ids of the same entry of the catalogue.
std::vector<std::string> aliases(std::string_view name, const std::string& id) {
  if (name == "device") return test::catalog().find_device(id)->aliases;
  if (name == "model") return test::catalog().find_model(id)->aliases();
  if (name == "weight_dtype")
    if (const io::WeightSchemeRow* const row = test::catalog().weights().find_row(id)) return row->aliases;
  return {};
}

const io::Prices& prices() {
  static const io::Prices kPrices = io::Prices::load(test::catalog());
  return kPrices;
}

struct Command {
  std::string_view name;
  std::function<std::string(const std::string& query)> answer;
};

io::Request request_of(const std::string& query) {
  Issues issues;
  return io::request_from_query(query, issues);
}

std::string planned(const std::string& query) {
  if (io::plans_serving(request_of(query))) return io::serving_plan_json(test::catalog(), query + "&top=1&gpus=1", false);
  io::PlanSession session{test::catalog(), prices(), request_of(query + "&top=1&gpus=2&global_batch=2")};
  session.finish(1);
  return io::plan_json(session.answer());
}

std::string priced(const std::string& query) {
  Issues issues;
  io::CostQuestion question = io::scenario_cost_question(test::catalog(), prices(), request_of(query), issues);
  return io::cost_json(test::catalog(), io::answer_cost(test::catalog(), prices(), std::move(question), std::move(issues)));
}

std::string solved(const std::string& query, const char* goal, const char* field) { return io::solve_json(test::catalog(), query, false, goal, field); }

/// What they print, whole: nothing of it may depend on how a value was written.
std::vector<Command> commands() {
  return {{"estimate", [](const std::string& query) { return io::estimate_json(test::answer_to(query)); }},
          {"export", [](const std::string& query) {
             const io::Answer answer = test::answer_to(query);
             return io::export_scenario(test::catalog(), answer, trains(answer.inputs.workload.task) ? "deepspeed" : "vllm").text;
           }},
          {"compare", [](const std::string& query) { return io::compare_json(test::catalog(), std::vector<std::string>{"model=gpt-2-124m", query}); }}};
}

/// Those that take milliseconds: one spelling of each field.
std::vector<Command> searches() {
  return {{"cost", priced}, {"fit --largest batch", [](const std::string& query) { return io::solve_json(io::solve(test::catalog(), request_of(query), {Goal::largest, "batch"}, {}, Judge::estimate)); }}, {"plan", planned}};
}

/// Those that take seconds: of fields that decide which question is asked.
std::vector<Command> slow_commands() {
  return {{"fit --smallest gpus", [](const std::string& query) { return solved(query, "smallest", "gpus"); }},
          {"fit --smallest instance", [](const std::string& query) { return solved(query, "smallest", "instance"); }},
          {"fit --smallest device", [](const std::string& query) { return solved(query, "smallest", "device"); }},
          {"fit --advice", [](const std::string& query) { return io::advice_json(test::catalog(), query, false); }},
          {"fit --sensitivity", [](const std::string& query) { return io::sensitivity_json(test::catalog(), query, false); }}};
}

const std::vector<std::string> kBases{"model=gpt-2-124m&device=rtx4090&task=inference&profile=vllm&context_tokens=1024&weight_dtype=bf16",
                                      "model=gpt-2-124m&device=rtx4090&task=finetune&method=lora&weight_dtype=nf4&profile=peft&context_tokens=1024&precision=bf16",
                                      "model=gpt-2-124m&device=rtx4090&task=pretrain&profile=torchtitan&context_tokens=1024&train_tokens=1000000"};

std::string value_in(const std::string& base, const Field& field) { return io::value_text(test::answer_to(base), field); }

/// Where two long texts part; "" where they are equal.
std::string difference(const std::string& one, const std::string& other) {
  if (one == other) return "";
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
  const std::size_t from = at - std::min<std::size_t>(at, 60);
  return one.substr(from, 160) + "\nis in the field's own spelling\n" + other.substr(from, 160);
}

/// In as many spellings as `most`.
void check(const std::vector<Command>& commands, const std::string& base, const Field& field, const std::string& text, int& checked, int most = 100) {
  const std::string own = test::with(base, std::string{field.name}, text);
  if (!io::answer_query(test::catalog(), own).ok) return;
  std::vector<std::string> others = spellings(field, text), more = aliases(field.name, text);
  others.insert(others.end(), more.begin(), more.end());
  std::vector<std::string> answers;
  for (const Command& command : commands) answers.push_back(command.answer(own));
  for (const std::string& other : others) {
    const std::string query = test::with(base, std::string{field.name}, other);
    if (other == text || !io::answer_query(test::catalog(), query).ok) continue;
    if (most-- == 0) return;
    ++checked;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      INFO(commands[i].name << ": " << field.name << "=" << other << " in place of " << text << " in " << base);
      CHECK(difference(commands[i].answer(query), answers[i]) == "");
    }
  }
}

} // namespace

TEST_CASE("a value is the same in every spelling, for every command", "[laws]") {
  int checked = 0;
  for (const std::string& base : kBases)
    for (const Field& field : fields()) {
      if (field.kind == FieldKind::text || !applies(field, test::answer_to(base).inputs.workload.task)) continue;
      const std::string value = value_in(base, field);
      if (value.empty()) continue;
      check(commands(), base, field, value, checked);
      check(searches(), base, field, value, checked, 1);
    }
  CHECK(checked > 400);
}

TEST_CASE("what decides which question is asked is the same in every spelling", "[laws]") {
  int checked = 0;
  for (const std::string& base : kBases)
    for (const char* name : {"task", "profile", "device", "model", "method", "precision"})
      if (const Field& field = *find_field(name); applies(field, test::answer_to(base).inputs.workload.task))
        check(slow_commands(), base, field, value_in(base, field), checked, field.name == "task" ? 3 : 1);
  CHECK(checked > 16);
}

TEST_CASE("keys of a plan are read as keys of a cost are", "[laws]") {
  const std::string base = "model=gpt-2-124m&device=rtx4090&profile=torchtitan&gpus=2&global_batch=2&top=1";
  const std::vector<std::array<std::string, 3>> spelled{{"kind", "spot", " SPOT"}, {"exhaustive", "true", "yes"}, {"exhaustive", "false", "No"}, {"objective", "cost", "Cost"},
                                                        {"compare_devices", "l4,t4", "L4, T4"}, {"compare_methods", "lora,qlora", "LoRA,QLoRA"}, {"compare_precisions", "bf16,fp8", "BF16,FP8"},
                                                        {"cloud", "aws", "AWS"}, {"budget", "5", " 5"}, {"compare_engines", "vllm,sglang", "VLLM, SGLang"}};
  for (const bool serves : {false, true}) {
    const std::span<const io::PlanKey> keys = serves ? io::serving_plan_keys() : io::plan_keys();
    const std::string question = base + (serves ? "&task=inference&profile=vllm" : "&task=finetune");
    for (const auto& [key, own, other] : spelled) {
      if (std::ranges::find(keys, key, &io::PlanKey::name) == keys.end()) continue;
      INFO(question << "&" << key << "=" << other);
      CHECK(difference(planned(test::with(question, key, other)), planned(test::with(question, key, own))) == "");
    }
    CHECK(planned(question + "&kind=foo").find("which is not one of its choices") != std::string::npos);
  }
  CHECK(planned(base + "&task=finetune&exhaustive=perhaps").find("Write true or false.") != std::string::npos);
}
