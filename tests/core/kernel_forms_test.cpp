// What the forms of kernels say of a shape, with numbers that leave one term standing (core/method/kernels).
#include "method/kernels/shape.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

constexpr Gpu kGpu{.flop = 1e15, .memory = 2e12, .units = 100, .link = 4e11};

/// A prompt's kernel of which only the exponentials take time: one pair of query and key in each nanosecond on a multiprocessor.
Numbers only_scores() {
  Numbers numbers{};
  numbers[PromptNumber::memory] = numbers[PromptNumber::compute] = 1e9;
  numbers[PromptNumber::scores] = 1;
  numbers[PromptNumber::block] = 128;
  return numbers;
}

/// A decode step's kernel of which only reading takes time, at the memory's rate.
Numbers only_memory() {
  Numbers numbers{};
  numbers[DecodeNumber::memory] = 1;
  numbers[DecodeNumber::compute] = numbers[DecodeNumber::feed] = 1e9;
  numbers[DecodeNumber::stretch] = numbers[DecodeNumber::rows] = numbers[DecodeNumber::tile] = numbers[DecodeNumber::resident] = numbers[DecodeNumber::swift] = 1;
  numbers[DecodeNumber::most] = numbers[DecodeNumber::windowed] = 32;
  return numbers;
}

bool near(double one, double other) { return std::fabs(one / other - 1) < 1e-3; }

} // namespace

TEST_CASE("what the cache holds is read faster, in part up to twice its size, and a step has no cache") {
  Gpu gpu = kGpu;
  CHECK(read_ns(2e6, gpu, 0.5, 4) == 2000);
  gpu.cache = 50e6;
  CHECK(read_ns(2e6, gpu, 0.5, 4) == 500);
  CHECK(read_ns(200e6, gpu, 0.5, 4) == 200'000);
  CHECK(near(read_ns(75e6, gpu, 1, 3), 75e6 / 2e3 * (2 / 3.0 + 1 / 3.0 / 3)));
  CHECK(read_ns(2e6, gpu, 0.5, 0.1) == 2000); // never slower than memory
}

TEST_CASE("a kernel that packs the heads of one cached head fills blocks that another leaves empty") {
  Numbers numbers = only_scores();
  const Attending answers{.sequences = 1000, .fresh = 1, .before = 4000, .heads = 32, .cached_heads = 4, .cached_bytes = 0};
  const double alone = prompt_attention_ns(answers, kGpu, numbers);
  numbers[PromptNumber::packed] = 1;
  CHECK(std::fabs(alone / prompt_attention_ns(answers, kGpu, numbers) - 8) < 0.2); // but for the last blocks
  const Attending prompt{.sequences = 10, .fresh = 8192, .before = 0, .heads = 32, .cached_heads = 4, .cached_bytes = 0};
  const double packed = prompt_attention_ns(prompt, kGpu, numbers);
  numbers[PromptNumber::packed] = 0;
  CHECK(prompt_attention_ns(prompt, kGpu, numbers) / packed < 1.02); // long prompts fill them anyway
}

TEST_CASE("a window saves what the kernel does not walk over all the same") {
  Numbers numbers = only_scores();
  const Attending all{.sequences = 4, .fresh = 16384, .before = 0, .heads = 32, .cached_heads = 8, .cached_bytes = 0};
  Attending windowed = all;
  windowed.window = 128;
  const double whole = prompt_attention_ns(all, kGpu, numbers);
  CHECK(prompt_attention_ns(windowed, kGpu, numbers) < whole / 20);
  numbers[PromptNumber::outside] = 1;
  CHECK(near(prompt_attention_ns(windowed, kGpu, numbers), whole));
  numbers[PromptNumber::outside] = 0;
  numbers[PromptNumber::edge] = 1e6; // more than there are keys
  CHECK(near(prompt_attention_ns(windowed, kGpu, numbers), whole));
}

TEST_CASE("more query heads than the kernel takes at once read the cache one by one") {
  const Numbers numbers = only_memory();
  const auto time = [&](double heads, double window) {
    return decode_attention_ns({.sequences = 64, .before = 9999, .heads = heads, .cached_heads = 1, .cached_bytes = 512, .window = window}, kGpu, numbers);
  };
  const double once = 64 * 10000.0 * 512 / 2e3;
  CHECK(time(32, 0) / once < 1.01);
  CHECK(time(48, 0) / once > 47);
  Numbers without = numbers;
  without[DecodeNumber::windowed] = 1;
  const Attending in_window{.sequences = 64, .before = 9999, .heads = 32, .cached_heads = 4, .cached_bytes = 512, .window = 1000};
  CHECK(decode_attention_ns(in_window, kGpu, without) / decode_attention_ns(in_window, kGpu, numbers) > 7);
}

TEST_CASE("tokens outside a window take their share where the kernel reads them all the same") {
  Numbers numbers = only_memory();
  const Attending of{.sequences = 64, .before = 9999, .heads = 8, .cached_heads = 8, .cached_bytes = 512, .window = 1000};
  const double within = decode_attention_ns(of, kGpu, numbers);
  numbers[DecodeNumber::outside] = 0.5;
  CHECK(near(decode_attention_ns(of, kGpu, numbers) / within, 5.5));
}

TEST_CASE("tokens are converted at a block's pace or the memory's, whichever is slower") {
  Numbers numbers{};
  numbers[MatrixNumber::memory] = numbers[MatrixNumber::compute] = numbers[MatrixNumber::feed] = 1e9;
  numbers[MatrixNumber::row] = 7;
  numbers[MatrixNumber::prepare] = 3;
  CHECK(near(product_ns({.m = 10000, .n = 64, .k = 512}, kGpu, numbers, {}), 70'000));
  CHECK(near(product_ns({.m = 10000, .n = 64, .k = 40960}, kGpu, numbers, {}), 10000 * 40960 * 3 / 2e3));
}
