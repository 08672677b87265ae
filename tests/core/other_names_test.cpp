// Words of other tools lead to ours. The tables are not public: they are asked through the answers that people get.
#include "plimsoll/method/fields.hpp"
#include "plimsoll/request/request.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <utility>

using namespace plimsoll;

namespace {

/// The remedy of the first issue of that field.
std::string remedy(const std::string& query, const std::string& field) {
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  const io::Answer answer = io::answer(test::catalog(), request, std::move(issues));
  const auto found = std::ranges::find(answer.issues, field, &Issue::field);
  return found == answer.issues.end() ? "" : found->remedy;
}

/// The first word after "Did you mean ".
std::string first_suggestion(const std::string& remedy) {
  const std::string start = "Did you mean ";
  if (!remedy.starts_with(start)) return "";
  const std::string rest = remedy.substr(start.size());
  return rest.substr(0, rest.find_first_of(" ,?="));
}

} // namespace

TEST_CASE("a name of another tool leads to the input") {
  struct Row { const char* typed; const char* ours; };
  for (const Row& row : {Row{"max_model_len", "context_tokens"}, Row{"Seq_Len", "context_tokens"}, Row{"sequence-length", "context_tokens"},
                         Row{"tp", "tensor_parallel"}, Row{"gpu", "device"}, Row{"quantization", "weight_dtype"}, Row{"qlora", "method"},
                         Row{"gradient_checkpointing", "recompute"}, Row{"zero_stage", "sharding"}, Row{"batch_size", "batch"}}) {
    INFO(row.typed);
    const std::string suggested = first_suggestion(remedy(std::string{row.typed} + "=1", row.typed));
    CHECK(suggested == row.ours);
    CHECK(find_field(suggested) != nullptr);
  }
  CHECK(first_suggestion(remedy("contxt_tokens=1", "contxt_tokens")) == "context_tokens"); // a slip of the finger still finds its neighbour
}

TEST_CASE("a value of another tool leads to the choice") {
  struct Row { const char* query; const char* field; const char* ours; };
  for (const Row& row : {Row{"task=finetune&method=qlora", "method", "lora"}, Row{"task=finetune&method=QLoRA", "method", "lora"}, Row{"task=sft", "task", "finetune"},
                         Row{"task=finetune&optimizer=adamw", "optimizer", "adamw_fused"}, Row{"task=finetune&sharding=zero3", "sharding", "parameters"},
                         Row{"task=finetune&recompute=true", "recompute", "full"}}) {
    INFO(row.query);
    const std::string suggested = first_suggestion(remedy(row.query, row.field));
    CHECK(suggested == row.ours);
    CHECK(find_choice(*find_field(row.field), suggested) != nullptr);
  }
}
