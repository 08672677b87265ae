// A solver's answer fits, and the step after it does not.
#include "scenarios.hpp"

#include "plimsoll/questions/solve.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

Profile engine_of(const Inputs& inputs) { return *test::catalog().profile(test::catalog().default_profile(false), inputs.hardware.arch); }

Trial tried(const io::Answer& answer, const Field& field, std::int64_t value, Judge judge = Judge::estimate) {
  Inputs inputs = answer.inputs;
  field.set(inputs, value);
  return try_inputs(inputs, answer.scenario.profile, engine_of(inputs), judge);
}

Solution solved(const io::Answer& answer, const Field& field, Goal goal = Goal::largest) {
  return solve(answer.inputs, answer.scenario.profile, engine_of(answer.inputs), field, goal);
}

bool is_asked(const io::Answer& answer, const Field& field) {
  return applies(field, answer.inputs.workload.task) && !is_idle(field, answer.inputs);
}

/// Fields that are bisected, as far as they are asked of the scenario.
std::vector<const Field*> rising_fields(const io::Answer& answer) {
  std::vector<const Field*> rising;
  for (const Field& field : fields())
    if (field.kind == FieldKind::integer && is_asked(answer, field) && rises_with(field, answer.inputs, answer.scenario.profile)) rising.push_back(&field);
  return rising;
}

} // namespace

TEST_CASE("where a search bisects, the answer fits and the next step does not") {
  int answers = 0, ends = 0;
  for (const std::string& query : test::valid_queries(60)) {
    const io::Answer answer = test::answer_to(query);
    for (const Field* field : rising_fields(answer)) {
      INFO(query << " " << field->name);
      const Solution solution = solved(answer, *field);
      CHECK(solution.method == Method::bisection);
      CHECK(solution.tried <= 128);
      if (!solution.answer) {
        REQUIRE(solution.next);
        CHECK(!solution.next->trial.holds());
        CHECK(has_errors(solution.issues));
        CHECK(!solution.issues.front().remedy.empty());
        continue;
      }
      ++answers;
      CHECK(solution.answer->trial.estimate.fits);
      CHECK(tried(answer, *field, solution.answer->value).holds());
      if (!solution.next) {
        ++ends; // the end of the range fits
        continue;
      }
      CHECK(solution.next->value == solution.answer->value + 1);
      CHECK(!tried(answer, *field, solution.next->value).holds());
      CHECK(solution.next->trial.verdict() != Verdict::holds);
    }
  }
  CHECK(answers > 1000);
  CHECK(ends < answers);
}

TEST_CASE("memory never falls as a bisected field rises") {
  for (const std::string& query : test::valid_queries(20)) {
    const io::Answer answer = test::answer_to(query);
    for (const Field* field : rising_fields(answer)) {
      const bool by_context = field->name == "context_tokens" && answer.scenario.profile.inference.whole_prompts.value > 0;
      if (by_context) continue; // rises in two parts
      Bytes last{0};
      for (const std::int64_t value : {1, 2, 3, 5, 8, 17, 32, 100, 1000, 4097, 65'536}) {
        if (value < field->min || value > field->max) continue;
        const Trial trial = tried(answer, *field, value);
        if (trial.verdict() == Verdict::invalid) continue;
        INFO(query << " " << field->name << " " << value);
        CHECK(trial.needs >= last);
        last = trial.needs;
      }
    }
  }
}

TEST_CASE("an exhaustive search finds what trying every value finds") {
  for (const char* query : {"model=llama-3-70b&task=inference&device=a100-80-sxm", "model=llama-3-8b&task=inference&device=rtx4090&profile=vllm",
                            "model=qwen3-235b-a22b&task=inference&device=b200&profile=sglang", "model=llama-3-8b&task=pretrain&device=h100-80-sxm&sharding=parameters"}) {
    const io::Answer answer = test::answer_to(query);
    for (const std::string_view name : {"tensor_parallel", "memory_permille"}) {
      const Field& field = *find_field(name);
      if (!is_asked(answer, field)) continue;
      INFO(query << " " << name);
      std::int64_t first = 0;
      for (std::int64_t value = 1; value <= field.max && first == 0; ++value)
        if (tried(answer, field, value).holds()) first = value;
      const Solution solution = solved(answer, field, Goal::smallest);
      CHECK(solution.method == Method::exhaustive);
      CHECK((solution.answer ? solution.answer->value : 0) == first);
      CHECK(solution.tried >= first);
    }
  }
}

TEST_CASE("a context that is read in one pass up to a limit is searched in two parts") {
  const io::Answer answer = test::answer_to("model=llama-3-8b&task=inference&device=a100-80-sxm&profile=vllm_0_6");
  REQUIRE(answer.scenario.profile.inference.whole_prompts.value > 0);
  const Solution solution = solved(answer, *find_field("context_tokens"));
  REQUIRE(solution.answer);
  CHECK(solution.answer->value > answer.scenario.profile.inference.whole_prompts.value);
  REQUIRE(solution.next);
  CHECK(!tried(answer, *find_field("context_tokens"), solution.next->value).holds());
}

TEST_CASE("concurrency × context never exceeds the pool") {
  int pools = 0;
  for (const io::Catalog::ProfileRow& profile : test::catalog().profiles()) {
    if (!profile.for_inference) continue;
    for (const char* rest : {"&context_tokens=512", "&context_tokens=8000", "&context_tokens=100000", "&max_sequences=7"}) {
      const io::Answer answer = test::answer_to("model=llama-3-8b&task=inference&kv_dtype=fp16&weight_dtype=bf16&device=h100-80-sxm&profile=" + profile.id + rest);
      const Solution solution = solved(answer, *find_field("batch"));
      INFO(profile.id << rest);
      REQUIRE(solution.answer);
      const CachePool& pool = solution.answer->trial.judgement.pool;
      if (!pool.exists) continue;
      ++pools;
      CHECK(pool.sequences >= Count{solution.answer->value});
      if (pool.uniform) CHECK(Count{solution.answer->value} * Count{answer.inputs.workload.context_tokens} <= pool.tokens);
      CHECK(Count{solution.answer->value} * answer.facts.kv_cache_per_token <= pool.bytes.expected);
    }
  }
  CHECK(pools >= 20);
}

TEST_CASE("the whole process fits at what front ends answer, and not at the next step") {
  for (const char* query : {"model=llama-3-8b&device=rtx4090", "model=llama-3-8b&device=rtx4090&profile=llama_cpp&weight_dtype=q4_k_m",
                            "model=llama-3-70b&device=rtx4090&profile=llama_cpp&weight_dtype=q4_k_m", "model=llama-3-8b&device=h100-80-sxm&task=finetune&method=lora"})
    for (const char* field : {"context_tokens", "batch", "gpu_layers", "rank"}) {
      const io::Answer answer = test::answer_to(query);
      if (!is_asked(answer, *find_field(field))) continue;
      Issues issues;
      const io::Solved found = io::solve(test::catalog(), io::request_from_query(query, issues), {Goal::largest, field});
      INFO(query << " " << field);
      if (!found.answer) {
        CHECK(has_errors(found.issues));
        continue;
      }
      io::Answer at = test::answer_to(found.query);
      io::add_footprint(at);
      CHECK(at.footprint->fits);
      if (!found.next || found.next->trial.verdict() != Verdict::device) continue;
      io::Answer above = test::answer_to(test::with(found.query, field, found.next->value));
      io::add_footprint(above);
      CHECK(!above.footprint->fits);
    }
}

TEST_CASE("the smallest device fits, and no smaller one does") {
  Issues issues;
  const io::Solved found = io::solve(test::catalog(), io::request_from_query("model=llama-3-8b", issues), {Goal::smallest, "device"});
  REQUIRE(found.answer);
  const std::int64_t usable = found.answer->trial.usable.value;
  for (const io::DeviceRow& row : test::catalog().devices()) {
    if (row.hardware.usable_bytes >= usable) continue;
    io::Answer smaller = test::answer_to("model=llama-3-8b&device=" + row.hardware.id);
    io::add_footprint(smaller);
    INFO(row.hardware.id);
    CHECK(!smaller.footprint->fits);
  }
}

TEST_CASE("the largest weights are ones that the engine loads, and the next larger ones do not fit") {
  Issues issues;
  const auto weights = [&](const std::string& query) { return io::solve(test::catalog(), io::request_from_query(query, issues), {Goal::largest, "weights"}); };
  const io::Solved llama = weights("model=llama-3-70b&device=rtx4090&profile=llama_cpp&context_tokens=4096");
  REQUIRE(llama.answer);
  CHECK(test::catalog().weights().find_row(llama.answer->value)->engine == "llama.cpp");
  REQUIRE(llama.next);
  CHECK(llama.next->trial.verdict() == Verdict::device);
  const io::Solved whole = weights("model=llama-3-8b&device=b200&profile=vllm&context_tokens=4096");
  REQUIRE(whole.answer);
  CHECK(whole.answer->trial.estimate.fits);
  CHECK(!whole.next); // in its own format, which is the end of the row
  const io::Solved none = weights("model=llama-3.1-405b&device=rtx4090&profile=tensorrt_llm");
  CHECK(!none.answer);
  CHECK(has_errors(none.issues));
}

TEST_CASE("questions without an answer are issues with a remedy") {
  for (const auto& [field, goal] : std::vector<std::pair<std::string, Goal>>{{"no_such_field", Goal::largest}, {"model", Goal::smallest},
        {"kv_dtype", Goal::largest}, {"hidden_size", Goal::largest}, {"context_tokens", Goal::smallest}, {"device", Goal::largest},
        {"weights", Goal::smallest}, {"rank", Goal::largest}, {"", Goal::largest}}) {
    Issues issues;
    const io::Solved solved = io::solve(test::catalog(), io::request_from_query("model=llama-3-8b", issues), {goal, field});
    INFO(field);
    CHECK(!solved.answer);
    REQUIRE(has_errors(solved.issues));
    CHECK(!solved.issues.back().remedy.empty());
  }
}
