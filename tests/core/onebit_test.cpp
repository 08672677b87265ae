// DeepSpeed's optimizers that exchange signs: what they keep, and the files that ask for them.
// deepspeedai/DeepSpeed 0.19.6, deepspeed/runtime/fp16/onebit/adam.py and zoadam.py.
#include "imports.hpp"
#include "method/memory/optimizers.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;
using namespace plimsoll::memory;
using test::field;
using test::import;

namespace {

constexpr Count kNumbers{3'000'000};

Term states(Optimizer optimizer, std::int64_t replicas) { return kept_states({.rows = Count{1000}, .columns = Count{3000}, .elements = kNumbers}, {.optimizer = optimizer, .replicas = Count{replicas}}); }

/// DeepSpeedExamples, BingBertSquad/1-bit_adam/mpi_ethernet.
std::string file(const std::string& type, const std::string& more = "") {
  return "{\"train_batch_size\": 96, \"train_micro_batch_size_per_gpu\": 3, \"steps_per_print\": 100, \"optimizer\": {\"type\": \"" + type +
         "\", \"params\": {\"lr\": 3e-5, \"freeze_step\": 400, \"weight_decay\": 0.0, \"bias_correction\": false, \"cuda_aware\": false, \"comm_backend_name\": \"mpi\"}}, "
         "\"gradient_clipping\": 1.0, \"fp16\": {\"enabled\": true}" + more + "}";
}

bool has_error(const io::ImportedText& made, std::string_view part) {
  return std::ranges::any_of(made.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.message.find(part) != std::string::npos; });
}

} // namespace

TEST_CASE("1-bit Adam keeps two moments, an error as large and a replica's part of another; 0/1 Adam a sum of updates besides") {
  CHECK(states(Optimizer::onebit_adam, 4).amount == 2 * 12'000'000 + 12'000'000 + 3'000'000);
  CHECK(states(Optimizer::onebit_adam, 4).low == 2 * 12'000'000); // until freeze_step
  CHECK(states(Optimizer::onebit_adam, 1).amount == 4 * 12'000'000);
  CHECK(states(Optimizer::zero_one_adam, 4).amount == 3 * 12'000'000 + 12'000'000 + 3'000'000);
  CHECK(states(Optimizer::zero_one_adam, 4).low == states(Optimizer::zero_one_adam, 4).amount);
  CHECK(states(Optimizer::onebit_adam, 7).amount == 3 * 12'000'000 + 428'572 * 4);
}

TEST_CASE("the copies of a step are of all weights where they are one flat tensor, and else of the largest") {
  const SteppedTensor tensors{.tensors = Count{3}, .rows = Count{1000}, .columns = Count{1000}, .elements = kNumbers};
  CHECK(step_copies(tensors, {.optimizer = Optimizer::onebit_adam, .flat = true}).amount == 2 * 12'000'000);
  CHECK(step_copies(tensors, {.optimizer = Optimizer::onebit_adam}).amount == 2 * 4'000'000);
  CHECK(step_copies(tensors, {.optimizer = Optimizer::zero_one_adam, .flat = true}).amount == 3 * 12'000'000);
  CHECK(steps_together({.optimizer = Optimizer::onebit_adam, .flat = true}));
  CHECK_FALSE(steps_together({.optimizer = Optimizer::onebit_adam}));
}

TEST_CASE("more replicas keep less, and what they keep is counted of the whole model") {
  const std::string query = "model=llama-3.2-1b&device=a100-80-sxm&task=finetune&profile=deepspeed&precision=master_fp16&optimizer=onebit_adam&data_parallel=";
  const Estimate two = test::answer_to(query + "2").estimate, eight = test::answer_to(query + "8").estimate;
  const std::int64_t parameters = test::answer_to(query + "2").facts.parameters.value, less = 4 * (parameters / 2 - parameters / 8);
  CHECK((two.at_peak().total - eight.at_peak().total).value - less <= 8);
  const io::Answer zero = io::answer_query(test::catalog(), query + "8&sharding=optimizer");
  CHECK(std::ranges::any_of(zero.issues, [](const Issue& issue) { return issue.severity == Severity::error && issue.field == "sharding"; }));
}

TEST_CASE("DeepSpeed's files with optimizers that exchange signs") {
  const io::ImportedText one = import(file("OnebitAdam"));
  CHECK(one.ok);
  CHECK(field(one, "optimizer") == "onebit_adam");
  CHECK(field(one, "precision") == "master_fp16");
  CHECK(field(one, "batch") == "3");
  CHECK(field(import(file("OneBitAdam")), "optimizer") == "onebit_adam"); // as the documentation writes it
  CHECK(field(import(file("ZeroOneAdam")), "optimizer") == "zero_one_adam");
  CHECK(field(import(file("OneBitAdam", ", \"zero_optimization\": {\"stage\": 0}")), "optimizer") == "onebit_adam");
  CHECK(has_error(import(file("OneBitAdam", ", \"zero_optimization\": {\"stage\": 1}")), "does not work with ZeRO"));
  CHECK_FALSE(import(file("OneBitLamb")).ok); // a fused momentum and factors of layers
}
