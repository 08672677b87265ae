#include "files/commands/values.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::commands {

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 53;

struct Name {
  std::string_view text, value;
};

// LMDeploy's --quant-policy by its number: lmdeploy/pytorch/engine/cache_engine.py, a scale and a zero for each head of each token.
// vllm/config/cache.py, CacheDType; python/sglang/srt/server_args.py, kv_cache_dtype; llama.cpp, common/arg.cpp, kv_cache_types.
constexpr std::array kCacheDtypes{Name{"int8_per_token_head", "int8_per_token_head"}, Name{"fp8_per_token_head", "fp8_per_token_head"}, Name{"fp8_ds_mla", "fp8_ds_mla"},
                                  Name{"int8", "int8"},    Name{"8", "int8_per_token_head"}, Name{"4", "int4_per_token_head"}, Name{"0", ""},
                                  Name{"auto", ""},        Name{"fp8", "fp8"},       Name{"fp8_e4m3", "fp8"}, Name{"fp8_e5m2", "fp8"},
                                  Name{"bfloat16", "bf16"}, Name{"bf16", "bf16"},     Name{"float16", "fp16"}, Name{"f16", "fp16"},
                                  Name{"fp16", "fp16"},     Name{"f32", "fp32"},      Name{"float32", "fp32"}, Name{"fp32", "fp32"},
                                  Name{"q8_0", "q8_0"},     Name{"q5_1", "q5_1"},     Name{"q5_0", "q5_0"},    Name{"q4_1", "q4_1"},
                                  Name{"q4_0", "q4_0"},     Name{"iq4_nl", "iq4_nl"}, Name{"nvfp4", "nvfp4"}};

constexpr std::array kDtypes{Name{"auto", ""},         Name{"half", "fp16"},    Name{"float16", "fp16"}, Name{"fp16", "fp16"},
                             Name{"bfloat16", "bf16"}, Name{"bf16", "bf16"},    Name{"float", "fp32"},   Name{"float32", "fp32"},
                             Name{"fp32", "fp32"}};

struct Method {
  std::string_view text;
  Quantization means;
};
// Methods that quantise while they load say the format; those that read a checkpoint leave bits and groups to it, which are most often
// 4 and 128. vllm/model_executor/layers/quantization, python/sglang/srt/server_args.py, QUANTIZATION_CHOICES.
constexpr std::array kMethods{
    Method{"fp8", {"fp8_tensor"}},        Method{"mxfp8", {"mxfp8"}},          Method{"w8a8_fp8", {"fp8_channel"}}, Method{"ptpc_fp8", {"fp8_channel"}},
    Method{"fbgemm_fp8", {"fp8_channel"}}, Method{"w8a8_int8", {"int8_channel"}}, Method{"bitsandbytes", {"nf4"}},    Method{"mxfp4", {"mxfp4"}},
    Method{"modelopt_fp4", {"nvfp4"}},    Method{"nvfp4", {"nvfp4"}},          Method{"modelopt", {"fp8_tensor", true}}, Method{"modelopt_fp8", {"fp8_tensor"}},
    Method{"awq", {"awq_4bit_g128", true}}, Method{"awq_marlin", {"awq_4bit_g128", true}}, Method{"gptq", {"gptq_4bit_g128", true}},
    Method{"gptq_marlin", {"gptq_4bit_g128", true}}, Method{"int8wo", {"int8wo"}}, Method{"fp8wo", {"float8wo"}}, Method{"int4wo-32", {"int4wo_32"}},
    Method{"int4wo-64", {"int4wo_64"}},   Method{"int4wo-128", {"int4wo_128"}}, Method{"int4wo-256", {"int4wo_256"}},
    Method{"compressed-tensors", {}},     Method{"quark", {}},                 Method{"auto-round", {}},            Method{"gguf", {}},
    Method{"hf", {}}};

/// Digits with at most one point, as a whole number of 10^-decimals; nothing for other characters.
struct Decimal {
  std::int64_t digits = 0;
  int decimals = 0;
};
std::optional<Decimal> decimal_of(std::string_view text) {
  Decimal number;
  bool point = false, any = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c == ',' && !point && any) continue; // thousands
    if (c < '0' || c > '9' || number.digits > kMost / 10) return std::nullopt;
    if (point && number.decimals == 9) continue;
    number.digits = number.digits * 10 + (c - '0');
    number.decimals += point ? 1 : 0;
    any = true;
  }
  return any ? std::optional{number} : std::nullopt;
}

std::int64_t scale_of(char suffix) noexcept {
  switch (suffix) {
    case 'k': return 1000;
    case 'K': return 1024;
    case 'm': return 1'000'000;
    case 'M': return 1024 * 1024;
    case 'g': return 1'000'000'000;
    case 'G': return 1024 * 1024 * 1024;
    default: return 1;
  }
}

std::int64_t power_of_ten(int exponent) noexcept {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

} // namespace

std::optional<std::int64_t> whole_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::int64_t scale = scale_of(text.back());
  const std::optional<Decimal> number = decimal_of(scale > 1 ? text.substr(0, text.size() - 1) : text);
  if (!number || number->digits > kMost / scale) return std::nullopt;
  const std::int64_t one = power_of_ten(number->decimals), product = number->digits * scale;
  if (scale == 1 && product % one != 0) return std::nullopt;
  return product / one;
}

std::optional<std::int64_t> longest_test(std::string_view text, bool one) {
  std::int64_t longest = 0, all = 0;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const auto number = whole_of(text.substr(0, comma));
    if (!number || *number > kMost - all) return std::nullopt;
    longest = std::max(longest, *number);
    all += *number;
    more = comma != std::string_view::npos;
    text.remove_prefix(more ? comma + 1 : text.size());
  }
  return one ? all : longest;
}

std::optional<std::vector<PlacedTensors>> places_of(std::string_view text) {
  std::vector<PlacedTensors> places;
  for (bool more = true; more;) {
    const std::size_t equals = text.find('='), comma = equals == text.npos ? text.npos : text.find(',', equals);
    if (equals == text.npos || equals == 0) return std::nullopt;
    places.push_back({std::string{text.substr(0, equals)}, std::string{text.substr(equals + 1, comma == text.npos ? text.npos : comma - equals - 1)}});
    more = comma != text.npos;
    text.remove_prefix(more ? comma + 1 : text.size());
  }
  return places;
}

std::vector<std::int64_t> split_of(std::string_view text) {
  constexpr std::int64_t kThousand = 1000; // people write 0.6,0.4
  std::vector<std::int64_t> parts;
  for (bool more = true; more;) {
    const std::size_t comma = text.find_first_of(",/");
    const std::optional<Decimal> number = decimal_of(text.substr(0, comma));
    if (!number || number->digits > kMost / kThousand) return {};
    parts.push_back(number->digits * kThousand / power_of_ten(number->decimals));
    more = comma != std::string_view::npos;
    text.remove_prefix(more ? comma + 1 : text.size());
  }
  if (std::ranges::all_of(parts, [](std::int64_t part) { return part % kThousand == 0; }))
    for (std::int64_t& part : parts) part /= kThousand;
  return parts;
}

std::optional<std::int64_t> thousandths_of_share(std::string_view text) {
  const std::optional<Decimal> number = decimal_of(text);
  if (!number) return std::nullopt;
  const std::int64_t one = power_of_ten(number->decimals);
  if (number->digits > one) return std::nullopt;
  return (number->digits * 1000 + one / 2) / one;
}

std::string share_text(std::int64_t thousandths) {
  std::string digits = std::to_string(1000 + thousandths % 1000).substr(1);
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return std::to_string(thousandths / 1000) + (digits.empty() ? "" : "." + digits);
}

namespace {

std::optional<std::string_view> named(std::span<const Name> names, std::string_view text) {
  const std::string wanted = lower_case(text);
  const auto at = std::ranges::find(names, wanted, &Name::text);
  return at == names.end() ? std::nullopt : std::optional{at->value};
}

} // namespace

std::optional<std::string_view> cache_dtype_of(std::string_view text) { return named(kCacheDtypes, text); }

std::string_view cache_dtype_text(const Engine& engine, std::string_view dtype) {
  const bool ggml = engine.id == llama_cpp().id;
  const bool of_vllm = dtype.ends_with("_per_token_head") || dtype == "fp8_ds_mla";
  if (of_vllm || dtype == "int8") return of_vllm && engine.id == vllm().id ? dtype : "";
  if (ggml) return dtype == "fp16" ? "f16" : dtype == "fp32" ? "f32" : dtype == "fp8" || dtype == "nvfp4" ? "" : dtype;
  if (dtype == "fp8") return engine.id == sglang().id ? "fp8_e4m3" : "fp8";
  if (dtype == "nvfp4") return engine.id == sglang().id ? "nvfp4" : "";
  return dtype == "bf16" ? "bfloat16" : dtype == "fp16" && engine.id == vllm().id ? "float16" : "";
}

std::optional<std::string_view> dtype_of(std::string_view text) { return named(kDtypes, text); }

std::optional<Quantization> quantization_of(std::string_view text) {
  const std::string wanted = lower_case(text);
  const auto at = std::ranges::find(kMethods, wanted, &Method::text);
  return at == kMethods.end() ? std::nullopt : std::optional{at->means};
}

std::string_view quantization_text(const Engine& engine, std::string_view weights) {
  if (engine.id == tensorrt_llm().id || engine.id == llama_cpp().id) return {};
  constexpr std::array kShared{std::string_view{"fp8"}, std::string_view{"bitsandbytes"}};       // vLLM and SGLang quantise while loading
  constexpr std::array kSglang{std::string_view{"mxfp8"}, std::string_view{"w8a8_int8"}, std::string_view{"w8a8_fp8"}};
  for (const Method& method : kMethods) {
    const bool known = std::ranges::find(kShared, method.text) != kShared.end() ||
                       (engine.id == sglang().id && std::ranges::find(kSglang, method.text) != kSglang.end());
    if (known && method.means.weights == weights && !method.means.assumed) return method.text;
  }
  return {};
}

std::optional<Truth> truth_of(std::string_view text) {
  const std::string word = lower_case(text);
  if (word == "true" || word == "on" || word == "1") return Truth{true, true};
  if (word == "false" || word == "off" || word == "0") return Truth{false, true};
  return word == "auto" ? std::optional{Truth{false, false}} : std::nullopt;
}

std::optional<std::string_view> link_of(std::string_view text) { return truth_of(text).value_or(Truth{true, true}).on ? std::optional<std::string_view>{"host"} : std::nullopt; }

} // namespace plimsoll::io::commands
