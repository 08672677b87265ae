#include "evidence/latencies/rows.hpp"

#include "evidence/latencies/inflate.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <optional>

namespace plimsoll::io::latencies {

namespace {

/// The number that a text is; nothing where it is more or less than that. libc++ has no std::from_chars of decimals.
std::optional<double> decimal(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size() ? std::optional{number} : std::nullopt;
}

/// One line with the names of its columns.
class Line {
public:
  Line(const std::vector<std::string_view>& names, std::string_view line) {
    for (std::string_view name : names) {
      const std::size_t end = std::min(line.find(','), line.size());
      values_.emplace(name, line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }

  std::string text(std::string_view name) const {
    const auto at = values_.find(name);
    if (at == values_.end()) missing_ = true;
    return at == values_.end() ? std::string{} : std::string{at->second};
  }
  double number(std::string_view name) const {
    const std::optional<double> number = decimal(text(name));
    if (!number || !(*number >= 0) || *number > 1e13) missing_ = true;
    return number.value_or(0);
  }
  /// A number that nothing may be zero of.
  double size(std::string_view name) const {
    const double value = number(name);
    if (value < 1) missing_ = true;
    return value;
  }
  bool good() const { return !missing_; }

private:
  std::map<std::string_view, std::string_view> values_;
  mutable bool missing_ = false;
};

const kernels::Format* format_of(const Line& line) { return kernels::find_format(line.text("dtype")); }

bool read_product(const Line& line, Measured& row) {
  const kernels::Format* format = format_of(line);
  if (format == nullptr) return false;
  row.format = format->id;
  row.arithmetic = format->arithmetic;
  row.shape = kernels::Product{line.size("m"), line.size("n"), line.size("k"), format->token_bytes, format->weight_bytes, 1};
  return true;
}

/// Of attention: what it computes in and what it reads.
double cache_bytes(const Line& line, Measured& row) {
  const std::string computes = line.text("dtype"), reads = line.text("kv_dtype");
  row.format = computes + "/" + reads;
  row.arithmetic = computes == "fp8" ? Arithmetic::fp8 : Arithmetic::bf16;
  return reads == "fp8" ? 1 : 2;
}

bool read_attention(const Line& line, Measured& row) {
  const bool prompt = row.kernel == Kernel::prompt_attention;
  const double bytes = cache_bytes(line, row), width = line.size("head_dim"), tokens = line.number(prompt ? "isl" : "cached");
  row.shape = kernels::Attending{line.size("batch_size"), prompt ? tokens : 1, prompt ? 0 : tokens, line.size("num_heads"), line.size("num_key_value_heads"),
                                 width, width, 2 * width * bytes, line.number("window_size")};
  return true;
}

// Query and key have 128 + 64 channels, values 128; the cached vector has 512 + 64 (DeepSeek-V3, config.json).
bool read_latent(const Line& line, Measured& row) {
  const double bytes = cache_bytes(line, row), heads = line.size("num_heads"), sequences = line.size("batch_size");
  if (row.kernel == Kernel::prompt_latent) row.shape = kernels::Attending{sequences, line.size("isl"), 0, heads, heads, 192, 128, 640, 0};
  else row.shape = kernels::Attending{sequences, 1, line.number("cached"), heads, 1, 576, 512, 576 * bytes, 0};
  return true;
}

bool read_experts(const Line& line, Measured& row) {
  const kernels::Format* format = format_of(line);
  if (format == nullptr) return false;
  row.format = format->id;
  row.arithmetic = format->arithmetic;
  const std::string liking = line.text("distribution");
  kernels::Experts of{line.size("num_tokens"), line.size("topk"), line.size("num_experts"), line.size("moe_ep_size"), line.size("hidden_size"),
                      line.size("inter_size") / line.size("moe_tp_size"), row.source.find("nongated") != std::string::npos ? 2.0 : 3.0, format->token_bytes, format->weight_bytes, 0};
  if (!line.good()) return false;
  constexpr std::string_view kPowerLaw = "power_law_";
  if (liking.starts_with(kPowerLaw)) {
    const std::string digits = liking.substr(kPowerLaw.size(), std::string_view{liking}.find_first_not_of("0123456789.", kPowerLaw.size()) - kPowerLaw.size());
    const std::optional<double> steepness = decimal(digits);
    if (!steepness || *steepness <= 1.001) return false;
    of.steepness = static_cast<int>(1 / (*steepness - 1) + 0.5);
  } else if (liking != "balanced") return false;
  row.shape = kernels::LoadedExperts{of, kernels::load_of(of)};
  return true;
}

bool read_recurrence(const Line& line, Measured& row) {
  row.kernel = line.text("phase") == "context" ? Kernel::recurrence_prompt : Kernel::recurrence_decode;
  row.format = line.text("op_name");
  row.shape = kernels::Recurrent{line.size("batch_size"), line.size("seq_len"), line.size("d_model")};
  return true;
}

bool read_message(const Line& line, Measured& row) {
  constexpr std::array<std::pair<std::string_view, Kernel>, 4> kNames{
      {{"all_reduce", Kernel::all_reduce}, {"all_gather", Kernel::all_gather}, {"reduce_scatter", Kernel::reduce_scatter}, {"alltoall", Kernel::all_to_all}}};
  const std::string name = line.text("op_name"), format = line.text("dtype");
  const auto at = std::ranges::find(kNames, name, &std::pair<std::string_view, Kernel>::first);
  if (at == kNames.end()) return false;
  row.kernel = at->second;
  row.format = "any";
  row.shape = kernels::Message{line.number("message_size") * (format == "int8" ? 1 : 2), std::max(2.0, line.size("num_gpus")), row.kernel == Kernel::all_reduce ? 2.0 : 1.0};
  return true;
}

struct File {
  std::string_view name;
  Kernel kernel;
  bool (*read)(const Line& line, Measured& row);
};
constexpr std::array<File, 9> kFiles{{{"gemm", Kernel::matrices, read_product},
                                      {"context_attention", Kernel::prompt_attention, read_attention},
                                      {"generation_attention", Kernel::decode_attention, read_attention},
                                      {"context_mla", Kernel::prompt_latent, read_latent},
                                      {"generation_mla", Kernel::decode_latent, read_latent},
                                      {"moe", Kernel::experts, read_experts},
                                      {"linear_attention", Kernel::recurrence_prompt, read_recurrence},
                                      {"collective", Kernel::all_reduce, read_message},
                                      {"engine_all_reduce", Kernel::all_reduce, read_message}}};

/// Columns that are no part of a shape.
bool is_shape(std::string_view column) {
  constexpr std::array<std::string_view, 9> kOthers{"system", "engine", "version", "kernel_source", "dtype", "kv_dtype", "ms", "op_name", "distribution"};
  return std::ranges::find(kOthers, column) == kOthers.end();
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> parts;
  for (bool more = true; more;) {
    const std::size_t end = line.find(',');
    more = end != std::string_view::npos;
    parts.push_back(line.substr(0, end));
    if (more) line.remove_prefix(end + 1);
  }
  return parts;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void report(Issues& issues, std::string_view name, std::string message, std::string remedy) {
  issues.push_back({Severity::error, std::string{name}, std::move(message), std::move(remedy)});
}

} // namespace

void read_rows(std::string_view name, std::string_view bytes, std::vector<Measured>& rows, Issues& issues) {
  const File* const file = [&]() -> const File* {
    const std::string_view stem = name.substr(0, name.find('.'));
    const auto at = std::ranges::find(kFiles, stem, &File::name);
    return at == kFiles.end() ? nullptr : &*at;
  }();
  if (file == nullptr) return;
  std::string held;
  std::string_view text = bytes;
  if (is_packed(bytes)) {
    std::optional<std::string> whole = unpacked(bytes);
    if (!whole) return report(issues, name, "The file is packed and damaged.", "Pack it again with gzip.");
    held = std::move(*whole);
    text = held;
  }
  const std::vector<std::string_view> names = split(next_line(text));
  std::size_t bad = 0, before = rows.size();
  while (!text.empty()) {
    const std::string_view of_line = next_line(text);
    if (of_line.empty()) continue;
    const Line line{names, of_line};
    Measured row{.kernel = file->kernel, .system = line.text("system"), .engine = line.text("engine"), .source = line.text("kernel_source"), .format = {}, .shape_text = {},
                 .shape = {}, .ns = line.number("ms") * 1e6};
    for (std::string_view column : names)
      if (is_shape(column)) row.shape_text += line.text(column) + ",";
    if (line.good() && file->read(line, row) && line.good() && row.ns > 0) rows.push_back(std::move(row));
    else ++bad;
  }
  if (bad > 0) report(issues, name, std::to_string(bad) + " of " + std::to_string(bad + rows.size() - before) + " rows could not be read.",
                      "Columns are named as aiconfigurator names them; sizes are numbers of at least 1, ms above 0.");
}

std::optional<Hardware> hardware_of(const Catalog& catalog, std::string_view system) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames{{{"a100_sxm", "a100-80-sxm"},
                                                                                 {"a100_pcie", "a100-80-pcie"},
                                                                                 {"h100_sxm", "h100-80-sxm"},
                                                                                 {"h100_pcie", "h100-80-pcie"},
                                                                                 {"h200_sxm", "h200-141-sxm"},
                                                                                 {"rtx_pro_6000_server", "rtxpro6000"},
                                                                                 {"rtx_pro_6000", "rtxpro6000"},
                                                                                 {"b60", "arc-b60-24"}}};
  const auto at = std::ranges::find(kNames, system, &std::pair<std::string_view, std::string_view>::first);
  std::string id{at != kNames.end() ? at->second : system};
  const DeviceRow* row = catalog.find_device(id);
  if (row == nullptr && id.ends_with("_sxm")) row = catalog.find_device(id.substr(0, id.size() - 4));
  if (row == nullptr) {
    std::ranges::replace(id, '_', '-');
    row = catalog.find_device(id);
  }
  if (row == nullptr) return std::nullopt;
  Hardware hardware = row->hardware;
  hardware.peers = true;
  return hardware;
}

} // namespace plimsoll::io::latencies
