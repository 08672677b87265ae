// What adapters weigh and keep: worked figures and measured runs of PEFT's comparison (huggingface/peft at 5d602fdb,
// method_comparison/MetaMathQA), formula by formula, each with its text evaluated.
#include "dense_decoder.hpp"
#include "formula_text.hpp"

#include "io/accuracy/peft.hpp"
#include "plimsoll/io/weights.hpp"
#include "plimsoll/parameters.hpp"
#include "plimsoll/tuning_parameters.hpp"
#include "tuning/memory.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <fstream>

using namespace plimsoll;

namespace {

constexpr Bytes kBf16{2};
constexpr std::int64_t kHidden = 3072, kIntermediate = 8192, kFullLayer = 131'176;

Model llama_3b() {
  return test::model_of(
      {.hidden_size = kHidden, .layers = 28, .query_heads = 24, .kv_heads = 8, .head_dim = 128, .intermediate_size = kIntermediate, .tied_embeddings = true});
}

/// The term's amount, after its text gave the same.
std::int64_t amount(const Term& term) {
  std::vector<Symbol> symbols;
  for (std::size_t i = 0; i < kMaxSymbols && !term.formula->symbols[i].name.empty(); ++i)
    symbols.push_back({term.formula->symbols[i].name, term.values[i], "", "", ""});
  INFO(term.formula->id);
  CHECK(test::evaluate(term.formula->text, symbols) == term.amount);
  CHECK(test::unused_symbols(term.formula->text, symbols).empty());
  return term.amount;
}

/// Bytes that one layer's adapters keep for one token, without what depends on no token.
std::int64_t adapters_keep(const Tuning& tuning, std::int64_t tokens = 1, bool autocast = false) {
  const Model model = llama_3b();
  const tuning::Numbers numbers = tuning::numbers_of(tuning, kBf16, autocast);
  std::int64_t total = 0;
  tuning::visit_sites(model, tuning, kUnsharded, [&](const tuning::Site& site) {
    for (const std::int64_t sign : {1, -1}) { // the difference of two lengths leaves what tokens make
      const Count length{sign > 0 ? tokens : 0};
      total += sign * (amount(kept_by_adapters(tuning, site, length, numbers)) + amount(kept_beside_adapters(tuning, site, length, kBf16)) +
                       amount(adapter_dropout(tuning, site, length, numbers)));
    }
  });
  return total / 28;
}

/// Bytes of the size of weights that one layer keeps.
std::int64_t weights_keep(const Tuning& tuning) {
  const Model model = llama_3b();
  const tuning::Numbers numbers = tuning::numbers_of(tuning, kBf16, false);
  std::int64_t total = 0;
  tuning::visit_sites(model, tuning, kUnsharded, [&](const tuning::Site& site) {
    total += amount(kept_by_adapters(tuning, site, Count{0}, numbers)) + amount(kept_beside_adapters(tuning, site, Count{0}, kBf16));
  });
  total += amount(tuning::indices_kept(tuning, trainable_parameters(model, tuning)));
  return total / 28;
}

std::int64_t frozen_layer(const Tuning& tuning) {
  const tuning::FrozenLayer layer{.hidden = Count{kHidden}, .norms = Count{2}, .reads = Count{2}, .intermediate = Count{kIntermediate}};
  return kFullLayer - amount(not_kept_when_frozen(layer, tuning::trains(tuning), Count{1}, kBf16));
}

constexpr Tuning kLora{.method = TuningMethod::lora, .rank = 32};
constexpr Tuning kMlpLora{.method = TuningMethod::lora, .rank = 10, .targets = kTargetMlp};

} // namespace

TEST_CASE("a frozen layer of Llama-3.2-3B keeps 90,216 bytes per token, one with trained norms 4 h more") {
  CHECK(frozen_layer(kLora) == kFullLayer - 8 * kHidden - 2 * kIntermediate);
  CHECK(frozen_layer({.method = TuningMethod::norms, .targets = kTargetAllNorms}) == frozen_layer(kLora) + 4 * kHidden);
  CHECK(frozen_layer({.method = TuningMethod::full}) == kFullLayer);
}

TEST_CASE("LoRA of rank 32 on queries and values keeps 114,792 bytes per token and layer, of rank 10 on the MLP 147,560, besides 4 r each") {
  CHECK(frozen_layer(kLora) + adapters_keep(kLora) == 114'792 + 2 * 4 * 32);
  CHECK(frozen_layer(kMlpLora) + adapters_keep(kMlpLora) == 147'560 + 3 * 4 * 10);
}

TEST_CASE("the run of rank 32 on queries and values: 22.3e9 bytes reserved, predicted within 2 %") {
  const Model model = llama_3b();
  const Count trains = trainable_parameters(model, kLora);
  const std::int64_t states = amount(tuning::adapter_weights(trains, 1, Bytes{4})) + amount(tuning::adapter_gradients(trains, Bytes{4})) +
                              amount(tuning::adapter_states(trains, Count{2}, Bytes{4}));
  CHECK(states == 16 * 9'175'040);
  const std::int64_t total = 2 * count_parameters(model).value + states + 28 * (frozen_layer(kLora) + adapters_keep(kLora)) * 3072 + 14LL * 3072 * 128'256;
  CHECK(total - 28 * 3072 * 2 * 4 * 32 == 21'962'283'008);
  const double error = static_cast<double>(total) / 22'292'725'760.0 - 1;
  CHECK(error > -0.02);
  CHECK(error < 0.02);
}

TEST_CASE("adapters of Llama-3-8B, rank 16 on all maps, weigh 671,088,640 bytes with AdamW in fp32") {
  const Count trains = trainable_parameters(test::model_of({}), {.method = TuningMethod::lora, .rank = 16, .targets = kTargetAllLinear});
  CHECK(amount(tuning::adapter_weights(trains, 1, Bytes{4})) + amount(tuning::adapter_gradients(trains, Bytes{4})) +
            amount(tuning::adapter_states(trains, Count{2}, Bytes{4})) == 671'088'640);
  CHECK(amount(tuning::adapter_weights(trains, 3, Bytes{4})) == 3 * 4 * trains.value);
}

TEST_CASE("adapters in the activations' format share the layer's tensors, under autocast each has a 16-bit copy") {
  Tuning half = kLora;
  half.adapter_dtype = AdapterDtype::half;
  CHECK(adapters_keep(half) == 2 * kHidden + 2 * 2 * 32);
  CHECK(adapters_keep(kLora, 1, true) == 2 * 2 * kHidden + 2 * 2 * 32);
  Tuning dropped = kLora;
  dropped.adapter_dropout = true;
  CHECK(adapters_keep(dropped) == adapters_keep(kLora) + 2 * kHidden); // a mask for each; the dropped input replaces the copy
  half.adapter_dropout = true;
  CHECK(adapters_keep(half) == 2 * (2 + 1) * kHidden + 2 * 2 * 32);
}

TEST_CASE("a frozen half of LoRA keeps less") {
  Tuning frozen_down = kLora;
  frozen_down.frozen_half = FrozenHalf::down;
  CHECK(adapters_keep(frozen_down) == 2 * 4 * 32);
}

TEST_CASE("measured increments over the lightest methods, bytes per token and layer, within 8 %") {
  struct Measured {
    Tuning tuning;
    std::int64_t bytes; ///< reserved maximum less that of the lightest runs and 16 bytes per trained parameter, over 28 layers × 3,072 tokens
  };
  const Measured rows[] = {{{.method = TuningMethod::lora, .rank = 32, .frozen_half = FrozenHalf::up}, 23'675},
                           {{.method = TuningMethod::gralora, .rank = 32, .blocks = 2}, 23'602},
                           {{.method = TuningMethod::oft, .blocks = 32}, 24'203},
                           {{.method = TuningMethod::vera, .rank = 256}, 17'434},
                           {{.method = TuningMethod::ia3, .targets = kTargetKey | kTargetValue | kTargetDown}, 36'153},
                           {{.method = TuningMethod::hira, .rank = 32}, 38'718},
                           {{.method = TuningMethod::loha, .rank = 32}, 40'620},
                           {{.method = TuningMethod::dora, .rank = 32}, 49'570},
                           {{.method = TuningMethod::miss_bat, .rank = 64}, 57'637},
                           {{.method = TuningMethod::shira, .rank = 32}, 16'313},
                           {{.method = TuningMethod::glora, .rank = 8}, 15'533},
                           {{.method = TuningMethod::deft, .rank = 32}, 38'937},
                           {{.method = TuningMethod::peanut, .rank = 1}, 58'246},
                           {{.method = TuningMethod::wavelet, .coefficients = 5000}, 55'419},
                           {{.method = TuningMethod::road, .per_channel = 2}, 31'311},
                           {{.method = TuningMethod::pvera, .rank = 256}, 23'842},
                           {{.method = TuningMethod::lily, .rank = 140, .targets = kTargetMlp, .vectors = 2, .stride = 14}, 62'115}};
  for (const Measured& row : rows) {
    INFO(text_of(row.tuning.method).id);
    REQUIRE(tuning::keeps_known(row.tuning));
    const double ours = static_cast<double>(adapters_keep(row.tuning)) + static_cast<double>(weights_keep(row.tuning)) / 3072;
    CAPTURE(ours);
    CHECK(ours > 0.92 * static_cast<double>(row.bytes));
    CHECK(ours < 1.08 * static_cast<double>(row.bytes));
  }
}

TEST_CASE("prompts in attention: 25,344 bytes per token and layer with 100 of them, 25.5e3 measured; a table with trained rows 788,004,864") {
  const Tuning prompts{.method = TuningMethod::adaption_prompt, .virtual_tokens = 100};
  CHECK(amount(tuning::prompt_attention(prompts, Count{1}, Count{24}, Count{3072}, Count{1}, kBf16)) == 25'344);
  CHECK(amount(tuning::prompt_attention(kLora, Count{1}, Count{24}, Count{3072}, Count{1}, kBf16)) == 0);
  // Reserved maximum of the run that trains two rows: 0.81e9 over that of the lightest runs.
  CHECK(amount(tuning::token_table({.method = TuningMethod::tokens, .virtual_tokens = 2}, llama_3b(), kBf16)) == 788'004'864);
}

TEST_CASE("a chain of reflections keeps a square per reflection") {
  const Tuning chain{.method = TuningMethod::hra, .rank = 8, .targets = kTargetQuery};
  Tuning orthogonal = chain;
  orthogonal.orthogonal = true;
  const Model model = llama_3b();
  tuning::visit_sites(model, chain, kUnsharded, [&](const tuning::Site& site) {
    const tuning::Numbers numbers = tuning::numbers_of(chain, kBf16, false);
    CHECK(amount(squares_kept(chain, site, numbers)) == 28 * (8 + 1) * 4 * kHidden * kHidden);
    CHECK(amount(squares_kept(orthogonal, site, numbers)) == 28 * 4 * kHidden * kHidden);
    CHECK(amount(squares_kept(kLora, site, numbers)) == 0);
  });
}

TEST_CASE("reserved maxima of PEFT's comparison, from these terms at the loss: worst and mean error") {
  std::ifstream file{PLIMSOLL_SOURCE_DIR "/tests/published/peft_rows.json"};
  REQUIRE(file.is_open());
  int modelled = 0;
  double sum = 0;
  for (const io::Json& row : io::Json::parse(file)) {
    std::vector<std::string> assumed;
    std::string reason;
    const std::optional<Inputs> inputs = io::accuracy::inputs_of(row, assumed, reason);
    if (!inputs || !tuning::keeps_known(inputs->tuning) || inputs->tuning.method == TuningMethod::full) continue;
    const Tuning& tuning = inputs->tuning;
    const Count trains = trainable_parameters(inputs->model, tuning);
    const Workload& workload = inputs->workload;
    const std::int64_t tokens = workload.batch * (workload.context_tokens + added_tokens(tuning));
    const std::int64_t layer = frozen_layer(tuning) + adapters_keep(tuning) +
                               amount(tuning::prompt_attention(tuning, Count{1}, Count{24}, Count{3072}, Count{1}, kBf16));
    std::int64_t squares = 0;
    tuning::visit_sites(inputs->model, tuning, kUnsharded, [&](const tuning::Site& site) {
      squares += amount(squares_kept(tuning, site, tuning::numbers_of(tuning, kBf16, false)));
    });
    const std::int64_t total = 2 * count_parameters(inputs->model).value + 16 * trains.value + 28 * (layer * tokens + weights_keep(tuning)) + squares +
                               amount(tuning::token_table(tuning, inputs->model, kBf16)) + 14 * tokens * inputs->model.vocab_size.value;
    const std::int64_t measured = row.at("measured").at("reserved_max").get<std::int64_t>();
    const double error = static_cast<double>(total) / static_cast<double>(measured) - 1;
    std::printf("%-72s %14lld %14lld %+7.2f %%\n", row.at("id").get<std::string>().c_str(), static_cast<long long>(measured),
                static_cast<long long>(total), 100 * error);
    ++modelled;
    sum += error < 0 ? -error : error;
    CHECK(error < 0.05);
    CHECK(error > -0.12);
  }
  std::printf("%d runs, mean error %.2f %%\n", modelled, 100 * sum / modelled);
  CHECK(modelled > 25);
  CHECK(sum / modelled < 0.04);
}

TEST_CASE("QLoRA of Llama-3-8B: 1,050,939,392 parameters stay in 16 bits and weigh as much again in fp32") {
  const Model model = test::model_of({});
  const io::WeightCatalog catalog = io::WeightCatalog::load();
  const std::optional<WeightScheme> scheme = catalog.find("nf4");
  REQUIRE(scheme);
  const StoredWeights weights = store(model, *scheme);
  const Count rest = tuning::parameters_not_quantised(model, weights);
  CHECK(rest == Count{1'050'939'392});
  CHECK(amount(tuning::kbit_upcast(rest)) == 4'203'757'568 - 2'101'878'784);
  CHECK(amount(tuning::dequantised_workspace(model, weights, kBf16)) == 117'440'512);
}

TEST_CASE("DoRA's weight norm of a query map: 4 in² + 10 in × out bytes while it runs") {
  const Model model = llama_3b();
  const Tuning tuning{.method = TuningMethod::dora, .rank = 32, .targets = kTargetQuery};
  tuning::visit_sites(model, tuning, kUnsharded, [&](const tuning::Site& site) {
    CHECK(amount(dora_norm_workspace(site, tuning::numbers_of(tuning, kBf16, false), kBf16)) == (4 + 10) * kHidden * kHidden);
    CHECK(amount(adapter_sum_workspace(site, Count{1}, tuning::numbers_of(tuning, kBf16, false))) == 8 * kHidden);
  });
}
