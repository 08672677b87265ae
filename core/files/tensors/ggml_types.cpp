#include "files/tensors/ggml_types.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace plimsoll::io::tensor_files {

namespace {

using enum GgmlStatus;

// ggml, include/ggml.h (enum ggml_type) for the numbers; src/ggml-common.h for the sizes of the blocks.
constexpr std::array kTypes = std::to_array<GgmlType>({
    {0, "F32", 1, 4},
    {1, "F16", 1, 2},
    {2, "Q4_0", 32, 18},
    {3, "Q4_1", 32, 20},
    {4, "Q4_2", 0, 0, removed},
    {5, "Q4_3", 0, 0, removed},
    {6, "Q5_0", 32, 22},
    {7, "Q5_1", 32, 24},
    {8, "Q8_0", 32, 34},
    {9, "Q8_1", 32, 36},
    {10, "Q2_K", 256, 84},
    {11, "Q3_K", 256, 110},
    {12, "Q4_K", 256, 144},
    {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},
    {15, "Q8_K", 256, 292},
    {16, "IQ2_XXS", 256, 66},
    {17, "IQ2_XS", 256, 74},
    {18, "IQ3_XXS", 256, 98},
    {19, "IQ1_S", 256, 50},
    {20, "IQ4_NL", 32, 18},
    {21, "IQ3_S", 256, 110},
    {22, "IQ2_S", 256, 82},
    {23, "IQ4_XS", 256, 136},
    {24, "I8", 1, 1},
    {25, "I16", 1, 2},
    {26, "I32", 1, 4},
    {27, "I64", 1, 8},
    {28, "F64", 1, 8},
    {29, "IQ1_M", 256, 56},
    {30, "BF16", 1, 2},
    {31, "Q4_0_4_4", 0, 0, repacked},
    {32, "Q4_0_4_8", 0, 0, repacked},
    {33, "Q4_0_8_8", 0, 0, repacked},
    {34, "TQ1_0", 256, 54},
    {35, "TQ2_0", 256, 66},
    {36, "IQ4_NL_4_4", 0, 0, repacked},
    {37, "IQ4_NL_4_8", 0, 0, repacked},
    {38, "IQ4_NL_8_8", 0, 0, repacked},
    {39, "MXFP4", 32, 17},
    {40, "NVFP4", 64, 36},
    {41, "Q1_0", 128, 18},
    {42, "Q2_0", 64, 18},
});

constexpr bool numbered_in_order() {
  for (std::size_t i = 0; i < kTypes.size(); ++i)
    if (kTypes[i].id != i) return false;
  return true;
}
static_assert(numbered_in_order());

constexpr bool is_read(const GgmlType& type) noexcept { return type.status == current || type.status == forked; }

/// The one of that name that is read; null when there is none.
constexpr const GgmlType* named(std::span<const GgmlType> types, std::string_view name) noexcept {
  const auto at = std::ranges::find_if(types, [&](const GgmlType& type) { return is_read(type) && type.name == name; });
  return at != types.end() ? &*at : nullptr;
}

// ik_llama.cpp, ggml/include/ggml.h (enum ggml_type) for the numbers; ggml/src/ggml-common.h for the sizes of the blocks and
// ggml/src/ggml.c (row_meta_size) for what a row has besides.
constexpr std::array kForked = std::to_array<GgmlType>({
    {133, "Q6_0", 32, 26, forked},
    {134, "IQ1_BN", 64, 13, forked, 2},
    {135, "IQ2_BN", 64, 16, forked, 4},
    {137, "IQ2_K", 256, 76, forked},
    {138, "IQ3_K", 256, 110, forked},
    {139, "IQ4_K", 256, 144, forked},
    {140, "IQ5_K", 256, 176, forked},
    {141, "IQ6_K", 256, 212, forked},
    {144, "IQ4_KS", 256, 136, forked, 4},
    {145, "IQ2_KS", 256, 70, forked, 2},
    {146, "IQ4_KSS", 256, 128, forked, 4},
    {152, "IQ5_KS", 256, 168, forked, 4},
    {153, "IQ2_KT", 256, 68, forked, 4},
    {154, "IQ3_KT", 256, 100, forked, 4},
    {155, "IQ4_KT", 256, 128, forked, 4},
    {156, "IQ3_KS", 256, 102, forked, 2},
    {157, "IQ2_KL", 256, 86, forked, 2},
    {158, "IQ1_KT", 256, 56, forked, 4},
});

/// "IQ2_K_R4": IQ2_K with its rows in groups of 4, which take the same bytes.
constexpr GgmlType in_groups(std::uint32_t id, std::string_view name) {
  const std::string_view of = name.substr(0, name.rfind("_R"));
  GgmlType type = named(kTypes, of) ? *named(kTypes, of) : *named(kForked, of);
  type.id = id;
  type.name = name;
  type.status = forked;
  type.base = of;
  return type;
}

constexpr std::array kGrouped = std::to_array<GgmlType>({
    in_groups(202, "Q4_0_R8"),
    in_groups(206, "Q5_0_R4"),
    in_groups(208, "Q8_0_R8"),
    in_groups(210, "Q2_K_R4"),
    in_groups(211, "Q3_K_R4"),
    in_groups(212, "Q4_K_R4"),
    in_groups(213, "Q5_K_R4"),
    in_groups(214, "Q6_K_R4"),
    in_groups(216, "IQ2_XXS_R4"),
    in_groups(217, "IQ2_XS_R4"),
    in_groups(218, "IQ3_XXS_R4"),
    {219, "IQ1_S_R4", 32, 6, forked, 2},
    in_groups(220, "IQ4_NL_R4"),
    in_groups(221, "IQ3_S_R4"),
    in_groups(222, "IQ2_S_R4"),
    in_groups(223, "IQ4_XS_R8"),
    {229, "IQ1_M_R4", 32, 7, forked, 2},
    in_groups(230, "BF16_R16"),
    in_groups(233, "Q6_0_R4"),
    in_groups(335, "IQ2_BN_R4"),
    in_groups(337, "IQ2_K_R4"),
    in_groups(338, "IQ3_K_R4"),
    in_groups(339, "IQ4_K_R4"),
    in_groups(340, "IQ5_K_R4"),
    in_groups(344, "IQ4_KS_R4"),
    in_groups(352, "IQ5_KS_R4"),
    in_groups(353, "MXFP4_R8"),
});
static_assert(std::ranges::is_sorted(kForked, {}, &GgmlType::id) && std::ranges::is_sorted(kGrouped, {}, &GgmlType::id));

constexpr std::array<std::span<const GgmlType>, 3> kAll{kTypes, kForked, kGrouped};

// llama.cpp, include/llama.h (enum llama_ftype). Numbers without a name belonged to types that were removed.
constexpr std::array<std::string_view, 42> kFileTypes = {
    "F32",   "F16",    "Q4_0",    "Q4_1",   "",       "",       "",        "Q8_0",   "Q5_0",   "Q5_1",   "Q2_K",
    "Q3_K_S", "Q3_K_M", "Q3_K_L", "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M",  "Q6_K",   "IQ2_XXS", "IQ2_XS", "Q2_K_S",
    "IQ3_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S",  "IQ3_M",  "IQ2_S",   "IQ2_M",  "IQ4_XS", "IQ1_M",  "BF16",
    "",       "",        "",      "TQ1_0",  "TQ2_0",  "MXFP4_MOE", "NVFP4", "Q1_0", "Q2_0"};
static_assert(kFileTypes[15] == "Q4_K_M" && kFileTypes[24] == "IQ1_S" && kFileTypes[32] == "BF16" &&
              kFileTypes[38] == "MXFP4_MOE");

} // namespace

const GgmlType* find_ggml_type(std::uint32_t id) noexcept {
  for (const std::span<const GgmlType> types : kAll)
    if (const auto at = std::ranges::lower_bound(types, id, {}, &GgmlType::id); at != types.end() && at->id == id) return &*at;
  return nullptr;
}

const GgmlType* find_ggml_type(std::string_view name) noexcept {
  for (const std::span<const GgmlType> types : kAll)
    if (const GgmlType* type = named(types, name)) return type;
  return nullptr;
}

std::string format_of(const GgmlType& type) {
  const std::string_view bytes = type.base.empty() ? type.name : type.base;
  return (named(kTypes, bytes) != nullptr ? "ggml_" : "ik_") + lower_case(bytes);
}

std::string_view ggml_file_type(std::int64_t id) noexcept {
  return id >= 0 && id < static_cast<std::int64_t>(kFileTypes.size()) ? kFileTypes[static_cast<std::size_t>(id)]
                                                                      : std::string_view{};
}

} // namespace plimsoll::io::tensor_files
