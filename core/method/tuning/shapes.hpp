#pragma once
// The shapes that each method trains: one function each, read in huggingface/peft, src/peft/tuners (methods.cpp names the file).
// Sizes that a division needs are at least 1 here, so that no input divides by zero.

#include "method/tuning/methods.hpp"

#include <algorithm>

namespace plimsoll::tuning::shapes {

constexpr Count at_least_one(std::int64_t value) noexcept { return Count{value > 1 ? value : 1}; }
constexpr Count over(Count amount, Count divisor) noexcept { return Count{divisor.value > 0 ? amount.value / divisor.value : 0}; }
constexpr Count over_rounded_up(Count amount, Count divisor) noexcept {
  return divisor.value > 0 ? over(amount + divisor - Count{1}, divisor) : Count{0};
}
constexpr Count rank(const Tuning& t) noexcept { return at_least_one(t.rank); }
constexpr Count tokens(const Tuning& t) noexcept { return at_least_one(t.virtual_tokens); }
constexpr Count pair(Count rank, const Site& s) noexcept { return s.modules * (rank * (s.input + s.output)); }
constexpr Count smaller(const Site& s) noexcept { return std::min(s.input, s.output); }

// --- beside each target

constexpr Count low_rank(const Tuning& t, const Site& s) noexcept {
  const Count down = t.frozen_half == FrozenHalf::down ? Count{0} : rank(t) * s.input;
  const Count up = t.frozen_half == FrozenHalf::up ? Count{0} : rank(t) * s.output;
  return s.modules * (down + up + (t.adapter_bias ? s.output : Count{0}));
}
constexpr Count plain_pair(const Tuning& t, const Site& s) noexcept { return pair(rank(t), s); }
constexpr Count dora(const Tuning& t, const Site& s) noexcept { return low_rank(t, s) + s.modules * s.output; }
constexpr Count adalora(const Tuning& t, const Site& s) noexcept { return pair(rank(t), s) + s.modules * rank(t); }
constexpr Count gralora(const Tuning& t, const Site& s) noexcept { return pair(rank(t) + Count{std::max<std::int64_t>(t.second_rank, 0)}, s); }
constexpr Count ia3(const Tuning&, const Site& s) noexcept { return s.modules * ((s.targets & kTargetDown) != 0 ? s.input : s.output); }
constexpr Count vera(const Tuning& t, const Site& s) noexcept { return s.modules * (s.output + rank(t)); }
constexpr Count pvera(const Tuning& t, const Site& s) noexcept { return s.modules * (s.output + Count{2} * rank(t)); }
constexpr Count loha(const Tuning& t, const Site& s) noexcept { return Count{2} * pair(rank(t), s); }

struct Factors {
  Count small;
  Count large;
};
/// A width as a product: with a fitting `factor` its share, else the pair closest to a square whose smaller part is at most `factor`.
constexpr Factors factorised(Count width, std::int64_t factor) noexcept {
  if (width.value < 1) return {Count{1}, Count{1}};
  std::int64_t small = 1;
  if (factor > 0 && width.value % factor == 0) {
    small = std::min(factor, width.value / factor);
  } else {
    for (std::int64_t i = 1; i * i <= width.value && (factor <= 0 || i <= factor); ++i)
      if (width.value % i == 0) small = i;
  }
  return {Count{small}, Count{width.value / small}};
}
constexpr Count lokr(const Tuning& t, const Site& s) noexcept {
  const Factors in = factorised(s.input, t.kronecker_factor), out = factorised(s.output, t.kronecker_factor);
  const auto matrix = [&](Count rows, Count columns, bool may_be_thin) {
    const bool thin = may_be_thin && Count{2} * rank(t) < std::max(rows, columns);
    return thin ? rank(t) * (rows + columns) : rows * columns;
  };
  return s.modules * (matrix(out.small, in.small, t.decompose_both) + matrix(out.large, in.large, true));
}

struct Blocks {
  Count number;
  Count size;
};
constexpr Blocks blocks_of(const Tuning& t, Count width) noexcept {
  if (t.block_size > 0) return {over_rounded_up(width, Count{t.block_size}), Count{t.block_size}};
  return {at_least_one(t.blocks), over_rounded_up(width, at_least_one(t.blocks))};
}
/// Rotations are skew-symmetric matrices before the Cayley transform: b (b - 1) / 2 numbers.
constexpr Count skew(Count size) noexcept { return over(size * (size - Count{1}), Count{2}); }
constexpr Count oft(const Tuning& t, const Site& s) noexcept {
  const Blocks blocks = blocks_of(t, s.input);
  return s.modules * ((t.share_blocks ? Count{1} : blocks.number) * skew(blocks.size));
}
constexpr Count boft(const Tuning& t, const Site& s) noexcept {
  const Blocks blocks = blocks_of(t, s.input);
  return s.modules * (at_least_one(t.factors) * (blocks.number * (blocks.size * blocks.size)) + s.output);
}
constexpr Count hra(const Tuning& t, const Site& s) noexcept { return s.modules * (rank(t) * s.input); }
constexpr Count coefficients(const Tuning& t, const Site& s) noexcept { return s.modules * at_least_one(t.coefficients); }
constexpr Count vblora(const Tuning& t, const Site& s) noexcept {
  const Count length = at_least_one(t.vector_length);
  return s.modules * (at_least_one(t.vectors) * (rank(t) * (over(s.input, length) + over(s.output, length))));
}
constexpr Count miss(const Tuning& t, const Site& s) noexcept {
  return s.modules * (rank(t) * (t.second_rank > 0 ? Count{t.second_rank} : s.output));
}
/// out/r blocks of r × r numbers.
constexpr Count miss_bat(const Tuning& t, const Site& s) noexcept { return s.modules * (over(s.output, rank(t)) * (rank(t) * rank(t))); }
/// An angle and a scale for each output channel, shared by pairs in variant 1 and doubled in variant 4.
constexpr Count road(const Tuning& t, const Site& s) noexcept { return s.modules * over(at_least_one(t.per_channel) * (Count{2} * s.output), Count{2}); }
constexpr Count randlora(const Tuning& t, const Site& s) noexcept {
  const Count bases = over_rounded_up(smaller(s), rank(t));
  return s.modules * (bases * (rank(t) + smaller(s)));
}
constexpr Count c3a(const Tuning& t, const Site& s) noexcept {
  const Count block = at_least_one(t.block_size);
  return s.modules * (over(s.output, block) * (over(s.input, block) * block));
}
constexpr Count delora(const Tuning& t, const Site& s) noexcept { return pair(rank(t), s) + s.modules; }

constexpr Count path(PathForm form, Count rows, Count columns, Count rank) noexcept {
  switch (form) {
    case PathForm::low_rank: return rank * (rows + columns);
    case PathForm::vector: return rows;
    case PathForm::constant: return Count{1};
    case PathForm::none: break;
  }
  return Count{0};
}
constexpr Count glora(const Tuning& t, const Site& s) noexcept {
  Count numbers = Count{2} * path(t.weight_paths, s.output, s.input, rank(t));
  if (s.bias) {
    const PathForm vectors = t.bias_vectors == PathForm::low_rank ? PathForm::vector : t.bias_vectors;
    numbers += path(t.bias_path, s.input, Count{1}, rank(t)) + Count{2} * path(vectors, s.output, Count{1}, rank(t));
  }
  return s.modules * numbers;
}
/// One input matrix for every `stride` layers, `vectors` output matrices for all, a router in each module.
constexpr Count lily(const Tuning& t, const Site& s) noexcept {
  const Count outputs = at_least_one(t.vectors), inputs = over_rounded_up(s.modules, at_least_one(t.stride));
  return rank(t) * (inputs * s.input + outputs * s.output) + s.modules * (rank(t) * outputs);
}
constexpr Count deft(const Tuning& t, const Site& s) noexcept {
  const Count r = std::min(rank(t), s.output);
  return s.modules * (r * (s.output + (t.removal_only ? Count{0} : s.input)));
}
constexpr Count millionths(const Tuning& t, Count whole) noexcept { return over(Count{std::clamp<std::int64_t>(t.millionths, 0, 1'000'000)} * whole, Count{1'000'000}); }
constexpr Count frod(const Tuning& t, const Site& s) noexcept { return s.modules * (s.input + millionths(t, s.input * s.input)); }
constexpr Count peanut(const Tuning& t, const Site& s) noexcept {
  const Count pairs{std::max<std::int64_t>((t.depth - 2) / 2, 0)};
  return s.modules * (Count{2} * (rank(t) * s.output) + Count{2} * (pairs * (rank(t) * rank(t))));
}
constexpr Count psoft(const Tuning& t, const Site& s) noexcept {
  const Count scales{(t.input_scale ? 1 : 0) + (t.output_scale ? 1 : 0)};
  return s.modules * ((t.rotation ? skew(rank(t)) : rank(t) * rank(t)) + scales * rank(t));
}
/// Every output row is in one cluster; a cluster has `second_rank` rows of `rank` numbers.
constexpr Count adamss(const Tuning& t, const Site& s) noexcept {
  return s.modules * (at_least_one(t.second_rank) * (s.output + at_least_one(t.vectors) * rank(t)));
}
constexpr Count beft(const Tuning&, const Site& s) noexcept { return s.modules * s.output; }
constexpr Count poly(const Tuning& t, const Site& s) noexcept {
  const Count skills = at_least_one(t.vectors);
  return skills * pair(rank(t), s) + s.modules * (at_least_one(t.tasks) * (at_least_one(t.splits) * skills));
}

// --- beside each target, untrained

constexpr Count frozen_half(const Tuning& t, const Site& s) noexcept {
  const Count width = t.frozen_half == FrozenHalf::down ? s.input : t.frozen_half == FrozenHalf::up ? s.output : Count{0};
  return s.modules * (rank(t) * width);
}
/// For every number of a pair, in the place of three 32-bit numbers: its place in the vector in 64 bits, and its scale.
constexpr Count unilora_places(const Tuning& t, const Site& s) noexcept { return Count{3} * pair(rank(t), s); }
/// The principal subspace; out of a full decomposition the input matrix is a view that keeps all right singular vectors.
constexpr Count psoft_subspace(const Tuning& t, const Site& s) noexcept {
  return s.modules * (rank(t) * s.output + (t.full_decomposition ? smaller(s) : rank(t)) * s.input);
}
constexpr Count adamss_projection(const Tuning& t, const Site& s) noexcept { return s.modules * (rank(t) * s.input); }

// --- once

Count full(const Tuning&, const Whole& w) noexcept;
Count norms(const Tuning& t, const Whole& w) noexcept;
Count head(const Tuning&, const Whole& w) noexcept;
Count last_layers(const Tuning& t, const Whole& w) noexcept;
constexpr Count prompt(const Tuning& t, const Whole& w) noexcept { return tokens(t) * w.model.hidden_size; }
constexpr Count linear(Count in, Count out) noexcept { return out * (in + Count{1}); }
constexpr Count prefix(const Tuning& t, const Whole& w) noexcept {
  if (t.encoder == PromptEncoder::none) return tokens(t) * w.cached;
  const Count size = t.encoder_size > 0 ? Count{t.encoder_size} : w.model.hidden_size;
  return tokens(t) * w.key_width + linear(w.key_width, size) + linear(size, w.cached);
}
/// An LSTM has four gates in both directions, each with an input and a state matrix and two biases.
constexpr Count lstm(Count in, Count size) noexcept { return Count{8} * (size * (in + size + Count{2})); }
constexpr Count ptuning(const Tuning& t, const Whole& w) noexcept {
  const Count width = w.model.hidden_size, size = t.encoder_size > 0 ? Count{t.encoder_size} : width;
  const Count vectors = tokens(t) * width;
  if (t.encoder == PromptEncoder::none) return vectors;
  if (t.encoder == PromptEncoder::mlp) return vectors + linear(width, size) + linear(size, size) + linear(size, width);
  const Count both = Count{2} * size;
  return vectors + lstm(width, size) + (at_least_one(t.encoder_layers) - Count{1}) * lstm(both, size) + linear(both, both) + linear(both, width);
}
constexpr Count multitask_prompt(const Tuning& t, const Whole& w) noexcept {
  return prompt(t, w) + at_least_one(t.tasks) * (rank(t) * (tokens(t) + w.model.hidden_size));
}
constexpr Count adaption_prompt(const Tuning& t, const Whole& w) noexcept {
  const Count layers = t.prompt_layers > 0 ? std::min(Count{t.prompt_layers}, w.layers) : w.layers;
  return layers * (tokens(t) * w.model.hidden_size + Count{1});
}
/// An adapter after attention and one after the MLP of each layer, both with biases.
constexpr Count bottleneck(const Tuning& t, const Whole& w) noexcept {
  return Count{2} * (w.layers * (linear(w.model.hidden_size, rank(t)) + linear(rank(t), w.model.hidden_size)));
}
constexpr Count bank(const Tuning& t, const Whole& w) noexcept {
  return w.sites > Count{0} ? at_least_one(t.vectors) * at_least_one(t.vector_length) : Count{0};
}
/// Groups of targets with one vector each: the sites that are not shared away, rounded to the nearest, halves to even.
constexpr Count tinylora(const Tuning& t, const Whole& w) noexcept {
  if (w.sites == Count{0}) return Count{0};
  const Count scaled = Count{1'000'000 - std::clamp<std::int64_t>(t.tying_millionths, 0, 1'000'000)} * w.sites;
  std::int64_t groups = scaled.value / 1'000'000;
  const std::int64_t rest = scaled.value % 1'000'000;
  if (rest > 500'000 || (rest == 500'000 && groups % 2 == 1)) ++groups;
  return at_least_one(groups) * at_least_one(t.coefficients);
}
constexpr Count one_vector(const Tuning& t, const Whole& w) noexcept { return w.sites > Count{0} ? at_least_one(t.coefficients) : Count{0}; }

} // namespace plimsoll::tuning::shapes
