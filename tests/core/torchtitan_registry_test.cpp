// torchtitan's registries: functions of Python that build configurations, of which one is chosen.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace plimsoll;
using test::field;

namespace {

constexpr std::string_view kRegistry = R"(
"""Recipes."""
from torchtitan.components.loss import ChunkedLossWrapper, CrossEntropyLoss
from . import model_registry

STEPS = 10


def llama3_8b() -> Trainer.Config:
    """The 8B, with a # in its text
    over two lines."""
    model_spec = model_registry("8B")  # a comment (with a bracket
    return Trainer.Config(
        loss=ChunkedLossWrapper.Config(loss_fn=CrossEntropyLoss.Config(size=f(model_spec))),
        model_spec=model_spec,
        optimizer=default_adamw(lr=3e-4, betas=(0.9, 0.95)),
        training=TrainingConfig(num_tokens_per_microbatch_per_dp_rank=2 * 8192, max_context_length=8192, steps=STEPS),
        parallelism=ParallelismConfig(tensor_parallel_degree=8),
        dataloader=Loader.Config(dataset=DATASETS["c4"]),
        activation_checkpoint=SelectiveAC.Config(),
    )


def llama3_8b_float8() -> Trainer.Config:
    config = llama3_8b()
    on = config.compile.enable and "model" in config.compile.components
    config.model_spec = model_registry("8B", converters=[Float8LinearConverter.Config(enabled=on)])
    config.activation_checkpoint = FullAC.Config()
    config.parallelism.tensor_parallel_degree = 16 // 4
    return config


def llama3_8b_looped() -> Trainer.Config:
    config = llama3_8b()
    for each in names:
        config.override.imports.append(each)
    return config


def llama3_8b_traced() -> Trainer.Config:
    return to_traced(llama3_70b(), model_registry)


def helper(config: Trainer.Config) -> None:
    config.x = 1
)";

io::ImportedText import(std::string_view text, io::ImportAnswers answers = {}) {
  const std::vector<io::ImportText> texts{{text, "config_registry.py"}};
  return io::import_texts(test::catalog(), texts, answers);
}

} // namespace

TEST_CASE("a registry of torchtitan asks which of its configurations") {
  const io::ImportedText made = import(kRegistry);
  CHECK(made.ok);
  CHECK(field(made, "model").empty());
  REQUIRE(!made.questions.empty());
  CHECK(made.questions.front().field == "command");
  CHECK(made.questions.front().text.find("1 llama3_8b, 2 llama3_8b_float8, 3 llama3_8b_looped, 4 llama3_8b_traced?") != std::string::npos);
  REQUIRE(made.commands.size() == 4); // what takes something is no configuration
  CHECK(made.commands.front().line == 9);
  CHECK(import(kRegistry, {.command = 5}).ok == false);
}

TEST_CASE("a configuration that is chosen is read as its file would be") {
  const io::ImportedText made = import(kRegistry, {.gpus = 64, .command = 1});
  REQUIRE(made.ok);
  CHECK(field(made, "model") == "llama-3-8b");
  CHECK(field(made, "batch") == "2"); // 2 * 8192 tokens of 8192
  CHECK(field(made, "context_tokens") == "8192");
  CHECK(field(made, "tensor_parallel") == "8");
  CHECK(field(made, "data_parallel") == "8");
  CHECK(field(made, "recompute") == "per_op");
  CHECK(field(made, "loss") == "linear_chunked");
  CHECK(field(made, "fp8").empty());
}

TEST_CASE("a configuration begins with another one of its module, and changes it") {
  const io::ImportedText made = import(kRegistry, {.gpus = 8, .command = 2});
  REQUIRE(made.ok);
  CHECK(field(made, "model") == "llama-3-8b");
  CHECK(field(made, "fp8") == "compute");
  CHECK(field(made, "recompute") == "full");
  CHECK(field(made, "tensor_parallel") == "4");
  CHECK(field(made, "data_parallel") == "2");
}

TEST_CASE("what only Python can tell of a configuration is refused") {
  CHECK_FALSE(import(kRegistry, {.command = 3}).ok);
  CHECK_FALSE(import(kRegistry, {.command = 4}).ok);
  for (const std::string_view text : {"model_registry\ndef f() -> A.Config:\n    return (((((", "model_registry\ndef f() -> A.Config:\n    return f()\n", "model_registry\ndef a() -> A.Config:\n    x = 'open\n    return B(1 +)\n"})
    CHECK_FALSE(import(text, {.command = 1}).ok); // and ends
  CHECK(field(import("model_registry\ndef f() -> A.Config:\n    return Trainer.Config(model_spec=model_registry(), training=3, parallelism=4)\n"), "model").empty());
}
