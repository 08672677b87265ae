// What optimizers keep and make, tensor by tensor: worked figures from their sources, and laws over every optimizer and shape.
#include "formula_text.hpp"
#include "method/memory/optimizers.hpp"
#include "method/memory/optimizers/common.hpp"
#include "method/memory/states.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>

using namespace plimsoll;
using namespace plimsoll::memory;

namespace {

constexpr std::array kOptimizers{
    Optimizer::adamw_fused, Optimizer::adamw_foreach, Optimizer::adamw_forloop, Optimizer::sgd_momentum,
    Optimizer::sgd,         Optimizer::adafactor,     Optimizer::lion,          Optimizer::adamw_8bit,
    Optimizer::lion_8bit,   Optimizer::paged_adamw,   Optimizer::adam_mini,     Optimizer::paged_adamw_8bit,
    Optimizer::muon,        Optimizer::shampoo,       Optimizer::soap,          Optimizer::galore,
    Optimizer::apollo,      Optimizer::lomo,          Optimizer::adalomo,
    Optimizer::adamw_4bit, Optimizer::onebit_adam, Optimizer::zero_one_adam};

SteppedTensor matrix(std::int64_t rows, std::int64_t columns, std::int64_t bytes, std::int64_t tensors = 1) {
  return {.tensors = Count{tensors},
          .rows = Count{rows},
          .columns = Count{columns},
          .elements = Count{tensors} * (Count{rows} * Count{columns}),
          .element = Bytes{bytes}};
}

SteppedTensor vector(std::int64_t rows, std::int64_t bytes, std::int64_t tensors = 1) {
  SteppedTensor tensor = matrix(rows, 1, bytes, tensors);
  tensor.kind = TensorKind::norms;
  tensor.matrix = false;
  return tensor;
}

std::int64_t kept(const SteppedTensor& tensor, Optimizer optimizer) {
  return kept_states(tensor, {.optimizer = optimizer}).amount;
}
std::int64_t copies(const SteppedTensor& tensor, Optimizer optimizer) {
  return step_copies(tensor, {.optimizer = optimizer}).amount;
}

/// Every tensor of a catalogue model, whole on one GPU.
std::vector<SteppedTensor> tensors_of_model(const std::string& id, std::int64_t bytes) {
  std::vector<SteppedTensor> all;
  for (const ModelTensor& part : test::answer_to("model=" + id + "&task=finetune").scenario.model.tensors)
    all.push_back({.kind = part.tensor.kind,
                   .matrix = part.tensor.matrix,
                   .tensors = part.layers * part.tensor.copies,
                   .rows = part.tensor.rows,
                   .columns = part.tensor.columns,
                   .elements = part.layers * elements(part.tensor),
                   .element = Bytes{bytes}});
  return all;
}

std::int64_t parameters_of(const std::vector<SteppedTensor>& tensors) {
  Count sum;
  for (const SteppedTensor& tensor : tensors) sum += tensor.elements;
  return sum.value;
}

std::int64_t kept_by(const std::vector<SteppedTensor>& tensors, const OptimizerSettings& settings) {
  Bytes sum;
  for (const SteppedTensor& tensor : tensors) sum += kept_states(tensor, settings).bytes();
  return sum.value;
}

std::int64_t paged_by(const std::vector<SteppedTensor>& tensors, const OptimizerSettings& settings) {
  Bytes sum;
  for (const SteppedTensor& tensor : tensors) sum += paged_states(tensor, settings).bytes();
  return sum.value;
}

/// What exists at once while the step runs.
std::int64_t copies_by(const std::vector<SteppedTensor>& tensors, const OptimizerSettings& settings) {
  Bytes sum, largest;
  for (const SteppedTensor& tensor : tensors) {
    const Bytes each = step_copies(tensor, settings).bytes();
    sum += each;
    largest = max(largest, each);
  }
  return steps_together(settings) ? sum.value : largest.value;
}

/// Matrices with both sides longer, vectors, tables, shards that divide nothing evenly, and tensors too small for blocks.
std::vector<SteppedTensor> shapes() {
  std::vector<SteppedTensor> all;
  for (const std::int64_t bytes : {2, 4}) {
    all.push_back(matrix(14'336, 4096, bytes, 32));
    all.push_back(matrix(1000, 3001, bytes, 3));
    all.push_back(matrix(16, 16, bytes));
    all.push_back(vector(4096, bytes, 65));
    all.push_back(vector(100, bytes));
    SteppedTensor table = matrix(128'256, 4096, bytes);
    table.kind = TensorKind::embedding;
    all.push_back(table);
    SteppedTensor shard = matrix(1024, 4096, bytes, 7);
    shard.elements = Count{7 * 1024 * 4096 / 3 + 1};
    all.push_back(shard);
    SteppedTensor nothing = matrix(0, 4096, bytes, 0);
    all.push_back(nothing);
  }
  return all;
}

std::vector<OptimizerSettings> all_settings() {
  std::vector<OptimizerSettings> all;
  for (const Optimizer optimizer : kOptimizers)
    for (const std::int64_t rank : {1, 128, 100'000})
      for (const bool flag : {false, true})
        all.push_back({.optimizer = optimizer,
                       .rank = Count{rank},
                       .in_backward = flag,
                       .embeddings_in_32_bits = flag,
                       .adafactor_of_pytorch = flag});
  return all;
}

std::vector<Term> terms_of(const SteppedTensor& tensor, const OptimizerSettings& settings) {
  return {kept_states(tensor, settings), paged_states(tensor, settings), step_copies(tensor, settings), moving_average(tensor.elements),
          step_scalars(tensor.tensors, settings)};
}

std::vector<Symbol> symbols_of(const Term& term) {
  std::vector<Symbol> symbols;
  for (std::size_t i = 0; i < kMaxSymbols && !term.formula->written().symbols[i].name.empty(); ++i) {
    const SymbolText& text = term.formula->written().symbols[i];
    symbols.push_back({text.name, term.values[i], text.unit, text.meaning, text.field});
  }
  return symbols;
}

} // namespace

TEST_CASE("8-bit Adam on Llama-3-8B keeps 16,311,468,160 bytes; with the Trainer's embedding 19,447,070,848") {
  const std::vector<SteppedTensor> model = tensors_of_model("llama-3-8b", 2);
  REQUIRE(parameters_of(model) == 8'030'261'248);
  CHECK(kept_by(model, {.optimizer = Optimizer::adamw_8bit}) == 16'311'468'160);
  CHECK(kept_by(model, {.optimizer = Optimizer::adamw_8bit, .embeddings_in_32_bits = true}) == 19'447'070'848);
  CHECK(kept_by(model, {.optimizer = Optimizer::lion_8bit}) == 16'311'468'160 / 2);
}

TEST_CASE("AdamW in bf16 on Llama-3-8B: 8 bytes per parameter kept, 10 during a foreach step, 8 during a fused one") {
  const std::vector<SteppedTensor> model = tensors_of_model("llama-3-8b", 2);
  const auto at_step = [&](const OptimizerSettings& settings) {
    return 4 * parameters_of(model) + kept_by(model, settings) + copies_by(model, settings);
  };
  CHECK(at_step({.optimizer = Optimizer::adamw_fused}) == 64'242'089'984);
  CHECK(at_step({.optimizer = Optimizer::adamw_foreach}) == 80'302'612'480);
  CHECK(at_step({.optimizer = Optimizer::adamw_foreach, .foreach_lists = Count{2}}) == 12 * 8'030'261'248);
  // Stepped one by one, the list is that of the largest tensor, a table of 128,256 × 4,096.
  CHECK(at_step({.optimizer = Optimizer::adamw_foreach, .in_backward = true}) == 64'242'089'984 + 2LL * 128'256 * 4096);
}

TEST_CASE("Llama-2-7B, bytes of weights, gradients and states, with torchao: 37.65 + 0.20 GiB of 8 bits, 31.38 + 0.39 of 4") {
  const std::vector<SteppedTensor> model = tensors_of_model("llama-2-7b", 2);
  const std::int64_t parameters = parameters_of(model);
  REQUIRE(parameters == 6'738'415'616);
  const auto low_bit = [&](std::int64_t per_byte, std::int64_t block) {
    Bytes sum;
    for (const SteppedTensor& tensor : model)
      if (tensor.matrix) sum += low_bit_states(tensor, Count{2}, Count{per_byte}, Count{block}).bytes();
    return sum.value;
  };
  std::int64_t vectors = 0;
  for (const SteppedTensor& tensor : model) vectors += tensor.matrix ? 0 : tensor.elements.value;
  const std::int64_t matrices = parameters - vectors;
  const auto hundredths = [](std::int64_t bytes) { return (bytes * 100 + (1LL << 29)) >> 30; };
  const std::int64_t bf16 = 4 * parameters + kept_by(model, {.optimizer = Optimizer::adamw_fused});
  CHECK(bf16 == 8 * parameters);
  CHECK(low_bit(1, 256) == 2 * (matrices + matrices / 256 * 4));
  CHECK(hundredths(4 * parameters + low_bit(1, 256)) == 3765 + 20);
  CHECK(low_bit(2, 128) == 2 * (matrices / 2 + matrices / 128 * 4));
  CHECK(hundredths(4 * parameters + low_bit(2, 128)) == 3138 + 39);
  // Published peaks: 51.6 with bf16 states, 39.3 with those of bitsandbytes, 33.2 with 4 bits. What activations take is common to all.
  const auto within_rounding = [](std::int64_t ours, std::int64_t published) {
    return ours - published <= 10 && published - ours <= 10;
  };
  const std::int64_t bitsandbytes = 4 * parameters + kept_by(model, {.optimizer = Optimizer::adamw_8bit});
  CHECK(within_rounding(hundredths(bf16 - bitsandbytes), 5160 - 3930));
  CHECK(within_rounding(hundredths(bf16 - 4 * parameters - low_bit(2, 128)), 5160 - 3320));
}

TEST_CASE("states follow the parameter's dtype, but for those that are always fp32") {
  for (const std::int64_t bytes : {2, 4}) {
    const SteppedTensor one = matrix(1000, 2000, bytes, 3);
    constexpr std::int64_t kNumbers = 3LL * 1000 * 2000;
    CHECK(kept(one, Optimizer::adamw_forloop) == 2 * bytes * kNumbers);
    CHECK(kept(one, Optimizer::sgd_momentum) == bytes * kNumbers);
    CHECK(kept(one, Optimizer::lion) == bytes * kNumbers);
    CHECK(kept(one, Optimizer::sgd) == 0);
    CHECK(kept(one, Optimizer::lomo) == 0);
    CHECK(kept(one, Optimizer::adafactor) == 3 * (1000 + 2000) * 4);
    CHECK(kept_states(one, {.optimizer = Optimizer::adafactor, .adafactor_of_pytorch = true}).amount ==
          3 * (1000 + 2000) * bytes);
    CHECK(kept(one, Optimizer::adalomo) == 3 * (1000 + 2000) * 4);
    CHECK(kept(one, Optimizer::adam_mini) == 4 * (kNumbers + 3 * 1000));
    CHECK(paged_states(one, {.optimizer = Optimizer::paged_adamw}).amount == 8 * kNumbers);
  }
}

TEST_CASE("8 bits begin at 4,096 numbers of one tensor, and a last block counts whole") {
  CHECK(kept(vector(4095, 2, 10), Optimizer::adamw_8bit) == 10 * 4095 * 8);
  CHECK(kept(vector(4096, 2, 10), Optimizer::adamw_8bit) == 10 * 2 * (4096 + 16 * 4));
  CHECK(kept(vector(4097, 2, 10), Optimizer::adamw_8bit) == 10 * 2 * (4097 + 17 * 4));
}

TEST_CASE("4 bits begin at 4,096 numbers of one tensor that blocks of 128 divide; others keep the weight's dtype") {
  CHECK(kept(vector(4095, 2, 10), Optimizer::adamw_4bit) == 10 * 4095 * 2 * 2);
  CHECK(kept(vector(4096, 2, 10), Optimizer::adamw_4bit) == 10 * 2 * (2048 + 32 * 4));
  CHECK(kept(vector(4097, 4, 10), Optimizer::adamw_4bit) == 10 * 4097 * 2 * 4);
}

TEST_CASE("paged states of 100,000 numbers and more leave the allocator; the blocks' scales stay") {
  const OptimizerSettings paged{.optimizer = Optimizer::paged_adamw_8bit};
  const SteppedTensor small = vector(99'999, 2), large = vector(100'000, 2);
  CHECK(paged_states(small, paged).amount == 0);
  CHECK(kept_states(small, paged).amount == kept(small, Optimizer::adamw_8bit));
  CHECK(paged_states(large, paged).amount == 2 * 100'000);
  CHECK(paged_states(large, paged).low == 0);
  CHECK(kept_states(large, paged).amount == 2 * 391 * 4);
  CHECK(kept(large, Optimizer::paged_adamw) == 0);
  for (const Optimizer optimizer : kOptimizers) {
    const bool elsewhere = paged_states(large, {.optimizer = optimizer}).amount > 0;
    CHECK(elsewhere == pages(optimizer));
  }
  const std::vector<SteppedTensor> model = tensors_of_model("llama-3-8b", 2);
  CHECK(kept_by(model, paged) + paged_by(model, paged) == 16'311'468'160);
}

TEST_CASE("Muon beside a master copy: 8 bytes per parameter of a hidden matrix, 12 of tables, head and vectors") {
  const SteppedTensor hidden = matrix(4096, 1024, 4);
  const auto with_master = [](const SteppedTensor& tensor) {
    return kept(tensor, Optimizer::muon) + master_weights({}, tensor.elements, Bytes{4}).amount;
  };
  const auto per_parameter = [&](const SteppedTensor& tensor) { return with_master(tensor) / tensor.elements.value; };
  CHECK(per_parameter(hidden) == 8);
  for (const TensorKind kind : {TensorKind::embedding, TensorKind::positions, TensorKind::head}) {
    SteppedTensor table = hidden;
    table.kind = kind;
    CHECK(per_parameter(table) == 12);
  }
  CHECK(per_parameter(vector(4096, 4)) == 12);
  // The embedding of a Megatron-LM row of 25.8 million parameters: its owner measured 298 MB, 12 bytes per parameter are 309 MB.
  SteppedTensor embedding = matrix(50'304, 512, 4);
  embedding.kind = TensorKind::embedding;
  CHECK(with_master(embedding) == 309'067'776);
}

TEST_CASE("Muon's iteration on 300 × 100: four of the matrix and two of the square of its shorter side, in bf16") {
  for (const SteppedTensor& tensor : {matrix(300, 100, 2, 5), matrix(100, 300, 4)}) {
    const Term term = step_copies(tensor, {.optimizer = Optimizer::muon});
    CHECK(term.amount == 2 * (4 * 30'000 + 2 * 10'000));
    CHECK(term.low == 2 * (2 * 30'000 + 2 * 10'000));
    CHECK(term.high == 2 * (5 * 30'000 + 2 * 10'000));
  }
}

TEST_CASE("the shapes that matrices leave behind, 300 × 100 by hand") {
  const SteppedTensor half = matrix(300, 100, 2), full = matrix(100, 300, 4);
  // Two moments of 128-ranked (here 100), 20-ranked projections, and the projector.
  const auto ranked = [](const SteppedTensor& tensor, Optimizer optimizer, std::int64_t rank) {
    return kept_states(tensor, {.optimizer = optimizer, .rank = Count{rank}}).amount;
  };
  CHECK(ranked(half, Optimizer::galore, 20) == (2 * 20 * 300 + 20 * 100) * 2);
  CHECK(ranked(half, Optimizer::galore, 128) == (2 * 100 * 300 + 100 * 100) * 2);
  CHECK(ranked(full, Optimizer::galore, 20) == (2 * 20 * 300 + 100 * 100) * 4); // a view keeps the whole factor
  CHECK(kept_states(full, {.optimizer = Optimizer::galore, .rank = Count{20}}).low == (2 * 20 * 300 + 20 * 100) * 4);
  CHECK(ranked(full, Optimizer::apollo, 20) == (2 * 20 * 300 + 20 * 100) * 4);
  CHECK(ranked(vector(300, 2), Optimizer::galore, 20) == 2 * 300 * 2);
  CHECK(kept(half, Optimizer::soap) == (2 * 30'000 + 2 * (300 * 300 + 100 * 100)) * 4);
  CHECK(kept(vector(300, 2), Optimizer::soap) == 2 * 300 * 4);
  CHECK(kept(matrix(10'001, 100, 4), Optimizer::soap) == (2 * 1'000'100 + 2 * 100 * 100) * 4);
  CHECK(kept(half, Optimizer::shampoo) == 2 * (300 * 300 + 100 * 100) * 4 + 30'000 * 2);
  CHECK(kept_states(half, {.optimizer = Optimizer::shampoo}).low == (300 * 300 + 100 * 100) * 4);
  // 2,500 rows are blocks of 1,024, 1,024 and 452, each beside all 100 columns.
  CHECK(kept(matrix(2500, 100, 4), Optimizer::shampoo) == 2LL * (2 * 1024 * 1024 + 452 * 452 + 3 * 100 * 100) * 4 + 250'000 * 4);
  CHECK(kept(vector(300, 4), Optimizer::shampoo) == 2 * 300 * 300 * 4 + 300 * 4);
}

TEST_CASE("temporaries of one tensor after the other, 300 × 100 by hand") {
  const SteppedTensor half = matrix(300, 100, 2, 9), full = matrix(300, 100, 4, 9);
  CHECK(copies(half, Optimizer::adafactor) == 4 * 4 * 30'000);
  CHECK(copies(full, Optimizer::adafactor) == 2 * 4 * 30'000);
  CHECK(copies(half, Optimizer::lomo) == 2 * 4 * 30'000);
  CHECK(copies(full, Optimizer::lomo) == 0);
  CHECK(copies(half, Optimizer::adalomo) == 3 * 4 * 30'000);
  CHECK(copies(half, Optimizer::adamw_forloop) == 2 * 2 * 30'000);
  CHECK(copies(half, Optimizer::adam_mini) == 3 * 4 * 30'000);
  CHECK(copies(half, Optimizer::adamw_8bit) == 0);
  CHECK(copies(half, Optimizer::galore) == (3 * 30'000 + 100 * 100) * 4);
  CHECK(step_copies(half, {.optimizer = Optimizer::galore}).low == 4 * 30'000);
  CHECK(copies(half, Optimizer::soap) == (3 * 30'000 + 4 * 300 * 300) * 4);
  CHECK(copies(half, Optimizer::adamw_foreach) == 9 * 2 * 30'000);
}

TEST_CASE(
    "what a step of six Llama layers makes on an H200: 131,072,000 bytes with Adafactor, lists of all parameters with foreach") {
  // Blocks born in optimizer_step, steady state: h200/llama-s/3x1088/anatomy/adafactor and /adamw_foreach in
  // tests/corpus/measured-h200.json. Hidden size 2,048, 32,000 words, MLP 5,632, keys and values 512 wide, bf16.
  SteppedTensor table = matrix(32'000, 2048, 2);
  table.kind = TensorKind::embedding;
  SteppedTensor head = table;
  head.kind = TensorKind::head;
  const std::vector<SteppedTensor> model{
      table, head, matrix(5632, 2048, 2, 18), matrix(2048, 2048, 2, 12), matrix(512, 2048, 2, 12), vector(2048, 2, 13)};
  CHECK(copies_by(model, {.optimizer = Optimizer::adafactor, .adafactor_of_pytorch = true}) == 131'072'000);
  CHECK(copies_by(model, {.optimizer = Optimizer::adamw_foreach}) ==
        18LL * 23'068'672 + 2LL * 131'072'000 + 12LL * 8'388'608 + 12LL * 2'097'152 + 13LL * 4096);
  CHECK(copies_by(model, {.optimizer = Optimizer::sgd_momentum}) == 0);
}

TEST_CASE("fused Adam has a step counter of 512 bytes per tensor on the GPU: Llama-3-8B has 291 tensors") {
  Count tensors;
  for (const SteppedTensor& tensor : tensors_of_model("llama-3-8b", 2)) tensors += tensor.tensors;
  CHECK(step_scalars(tensors, {.optimizer = Optimizer::adamw_fused}).amount == 291 * 512);
  CHECK(step_scalars(tensors, {.optimizer = Optimizer::adafactor}).amount == 291 * 512);
  CHECK(step_scalars(tensors, {.optimizer = Optimizer::adafactor, .adafactor_of_pytorch = true}).amount == 0);
  CHECK(step_scalars(tensors, {.optimizer = Optimizer::adamw_foreach}).amount == 0);
}

TEST_CASE("a flat shard of n GPUs keeps a n-th of what is elementwise") {
  SteppedTensor shard = matrix(4096, 4096, 4, 32);
  const std::int64_t whole = kept(shard, Optimizer::adamw_fused);
  shard.elements = ceil_div(shard.elements, Count{8});
  CHECK(kept(shard, Optimizer::adamw_fused) * 8 == whole);
  CHECK(kept(shard, Optimizer::adamw_8bit) == 2 * (shard.elements.value + shard.elements.value / 256 * 4));
}

TEST_CASE("the text of every optimizer's formula evaluates to the code's number, within low and high") {
  for (const OptimizerSettings& settings : all_settings())
    for (const SteppedTensor& tensor : shapes())
      for (const Term& term : terms_of(tensor, settings)) {
        const std::vector<Symbol> symbols = symbols_of(term);
        INFO(term.formula->written().id << " = " << term.formula->written().text << " of optimizer " << static_cast<int>(settings.optimizer) << ", "
                              << tensor.rows.value << " × " << tensor.columns.value);
        CHECK(test::evaluate(term.formula->written().text, symbols) == term.amount);
        CHECK(test::unused_symbols(term.formula->written().text, symbols).empty());
        CHECK(term.low <= term.amount);
        CHECK(term.amount <= term.high);
        CHECK(term.low >= 0);
        CHECK(test::catalog().find_citation(term.formula->written().citation) != nullptr);
        for (const Symbol& symbol : symbols) {
          CHECK(!symbol.meaning.empty());
          const bool known = symbol.field.empty() || symbol.field == "optimizer_rank" || find_field(symbol.field) != nullptr;
          CHECK(known);
        }
      }
}

TEST_CASE("a larger rank, and a larger tensor, never takes less") {
  for (const Optimizer optimizer : kOptimizers)
    for (const SteppedTensor& tensor : shapes()) {
      const auto bytes = [&](const SteppedTensor& of, std::int64_t rank) {
        const OptimizerSettings settings{.optimizer = optimizer, .rank = Count{rank}};
        return kept_states(of, settings).bytes() + paged_states(of, settings).bytes();
      };
      for (std::int64_t rank = 1; rank < 10'000; rank *= 3) CHECK(bytes(tensor, rank) <= bytes(tensor, rank * 3));
      SteppedTensor more = tensor;
      more.tensors = tensor.tensors + Count{1};
      more.elements = tensor.elements + tensor.rows * tensor.columns;
      CHECK(bytes(tensor, 128) <= bytes(more, 128));
    }
}

TEST_CASE("the largest tensor saturates instead of overflowing") {
  const std::int64_t most = Count::kMax;
  for (const OptimizerSettings& settings : all_settings())
    for (const SteppedTensor& tensor : {matrix(most, most, 4, most), matrix(most, 1, 4), matrix(1, most, 2, most)})
      for (const Term& term : terms_of(tensor, settings)) {
        INFO(term.formula->written().text);
        CHECK(term.amount >= 0);
        CHECK(term.low >= 0);
        CHECK(term.low <= term.high);
      }
  CHECK(kept_states(matrix(most, most, 4), {.optimizer = Optimizer::adamw_fused}).bytes().saturated());
  CHECK(kept_states(matrix(most, most, 4), {.optimizer = Optimizer::adamw_8bit}).bytes().saturated());
}

TEST_CASE("states of all optimizers of PyTorch appear in the first step; LOMO's work in the backward pass") {
  for (const Optimizer optimizer : {Optimizer::adamw_fused, Optimizer::adamw_foreach, Optimizer::muon, Optimizer::adafactor})
    CHECK(lazy(optimizer));
  CHECK(!lazy(Optimizer::adalomo));
  for (const Optimizer optimizer : kOptimizers)
    CHECK(steps_in_backward(optimizer) == (optimizer == Optimizer::lomo || optimizer == Optimizer::adalomo));
  CHECK(steps_together({.optimizer = Optimizer::adamw_foreach}));
  CHECK(!steps_together({.optimizer = Optimizer::adamw_foreach, .in_backward = true}));
  CHECK(!steps_together({.optimizer = Optimizer::adamw_forloop}));
}
