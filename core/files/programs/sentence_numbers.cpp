#include "files/programs/sentence_numbers.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace plimsoll::io::programs {

namespace {

using Words = std::vector<Word>;

std::string_view lower(const Words& words, std::size_t at) { return at < words.size() && !words[at].used ? std::string_view{words[at].lower} : std::string_view{}; }

/// The format of a cache as people call it; levels by their bits are llama.cpp's.
std::string cache_format(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kShort{{{"q8", "q8_0"}, {"q5", "q5_0"}, {"q4", "q4_0"}, {"f16", "fp16"}}};
  for (const auto& [said, meant] : kShort)
    if (word == said) return std::string{meant};
  return find_choice(*find_field("kv_dtype"), word) != nullptr ? std::string{word} : "";
}

/// Behind `at`, past one of these words.
std::size_t past(const Words& words, std::size_t at, List list) { return is_one_of(lower(words, at), list) ? at + 1 : at; }

/// Numbers that change neither bytes nor time.
void take_idle(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool in_two = is_one_of(lower(words, i), {"learning", "weight"}) && is_one_of(lower(words, i + 1), {"rate", "decay"});
    if (!in_two && !is_one_of(lower(words, i), {"lr", "alpha", "seed", "temperature", "warmup", "top_p"})) continue;
    const std::size_t value = past(words, i + (in_two ? 2 : 1), {"of", "=", "is"});
    if (const std::string_view text = lower(words, value); !text.empty() && (is_digits(text.substr(0, 1)) || text.front() == '.')) take(words, i, value + 1);
  }
}

/// "Offload 20 layers", "20 layers on the GPU", "20 GPU layers": llama.cpp's --n-gpu-layers.
void take_layers(Words& words, Told& told) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!is_digits(lower(words, i))) continue;
    const bool said_before = i > 0 && is_one_of(lower(words, i - 1), {"offload", "offloading", "offloaded"});
    std::size_t end = i + 1;
    const bool of_gpu = lower(words, end) == "gpu";
    end += of_gpu ? 1 : 0;
    if (!is_one_of(lower(words, end), {"layers", "layer"})) continue;
    ++end;
    const bool after = is_one_of(lower(words, end), {"offload", "offloaded"});
    end += after ? 1 : 0;
    const std::size_t place = past(words, past(words, end, {"on", "to", "in", "onto"}), {"the", "my", "a"});
    const bool to_gpu = place > end && is_one_of(lower(words, place), {"gpu", "vram", "card"});
    const bool elsewhere = place > end && is_one_of(lower(words, place), {"cpu", "ram", "host", "disk"});
    if (elsewhere || !(said_before || of_gpu || after || to_gpu)) continue;
    told.emplace_back("gpu_layers", words[i].text);
    take(words, said_before ? i - 1 : i, to_gpu ? place + 1 : end);
  }
}

bool is_prompt(std::string_view word) { return is_one_of(word, {"in", "input", "prompt", "prompts"}); }
bool is_answer(std::string_view word) { return is_one_of(word, {"out", "output", "answer", "answers", "completion", "response"}); }

/// "4k in 500 out", "input 4096 output 512", "500 output tokens": both of them, or one that is called more than "in".
void take_lengths(Words& words, Told& told) {
  struct Length {
    std::size_t from, number, end;
  };
  const auto find = [&](bool (*names)(std::string_view)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const char scale = words[i].used ? '\0' : scale_of(words[i].lower);
      if (scale != '1' && scale != 'k') continue;
      const std::size_t tokens = past(words, i + 1, {"token", "tokens"});
      if (names(lower(words, tokens))) return Length{i, i, past(words, tokens + 1, {"token", "tokens", "length"})};
      if (i > 1 && is_one_of(lower(words, i - 1), {"length", "tokens", "of", "="}) && names(lower(words, i - 2))) return Length{i - 2, i, tokens};
      if (i > 0 && names(lower(words, i - 1)) && (i < 2 || words[i - 2].used || scale_of(words[i - 2].lower) == 0)) return Length{i - 1, i, tokens};
    }
    return Length{0, 0, 0};
  };
  const Length prompt = find(is_prompt), answer = find(is_answer);
  const auto is_sure = [&](const Length& one) {
    for (std::size_t i = one.from; i < one.end; ++i)
      if (!is_one_of(lower(words, i), {"in", "out"}) && (is_prompt(lower(words, i)) || is_answer(lower(words, i)))) return true;
    return false;
  };
  const bool both = prompt.end > 0 && answer.end > 0 && prompt.number != answer.number;
  if (both || is_sure(prompt)) told.emplace_back("prompt_tokens", words[prompt.number].text);
  if (both || is_sure(answer)) told.emplace_back("answer_tokens", words[answer.number].text);
  const bool takes_prompt = both || is_sure(prompt), takes_answer = both || is_sure(answer);
  if (takes_prompt) take(words, prompt.from, prompt.end);
  if (takes_answer) take(words, answer.from, answer.end);
}

/// "1024x1024" beside images.
void take_sizes(Words& words, Told& told) {
  if (std::ranges::none_of(words, [](const Word& word) { return is_one_of(word.lower, {"image", "images", "frames"}); })) return;
  for (Word& word : words) {
    const std::size_t cross = word.used ? std::string::npos : word.lower.find('x');
    if (cross == std::string::npos || !is_digits(word.lower.substr(0, cross)) || !is_digits(word.lower.substr(cross + 1))) continue;
    word.used = true;
    told.emplace_back("image_width", word.lower.substr(0, cross));
    told.emplace_back("image_height", word.lower.substr(cross + 1));
  }
}

} // namespace

std::string_view field_beside(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kPlain{{{"generations", "group_size"}, {"group", "group_size"}, {"rollouts", "group_size"}, {"image", "images"}, {"epoch", "epochs"}, {"accum", "micro_batches"}, {"ga", "micro_batches"}, {"loras", "lora_slots"}, {"frames", "video_frames"}}};
  for (const auto& [said, meant] : kPlain)
    if (word == said) return meant;
  if (word.empty() || is_one_of(word, {"gpus", "tokens", "prompt", "answer", "turns"})) return {};
  const std::string name = spelled(word);
  const std::string_view meant = find_field(name) != nullptr ? std::string_view{find_field(name)->name} : same_as(name);
  const Field* const field = find_field(meant);
  return field != nullptr && field->kind == FieldKind::integer && field->topic != Topic::model && field->topic != Topic::hardware ? field->name : std::string_view{};
}

Told take_caches(Words& words) {
  Told told;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_one_of(lower(words, i), {"kv", "kv-cache", "kvcache", "kv_cache"})) continue;
    const std::size_t named = past(words, i + 1, {"cache"}), value = past(words, past(words, named, {"in", "at", "as", "dtype", "type", "quant", "quantized", "="}), {"to", "in"});
    std::size_t from = i, end = value + 1;
    std::string format = cache_format(lower(words, value));
    if (format.empty() && i > 0) format = cache_format(lower(words, i - 1)), from = i - 1, end = named;
    if (format.empty()) continue;
    told.emplace_back("kv_dtype", std::move(format));
    take(words, from, end);
  }
  return told;
}

Told take_amounts(Words& words) {
  Told told;
  take_idle(words);
  take_layers(words, told);
  take_lengths(words, told);
  take_sizes(words, told);
  return told;
}

} // namespace plimsoll::io::programs
