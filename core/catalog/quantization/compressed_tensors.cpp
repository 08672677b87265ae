// compressed-tensors: "config_groups" with targets and a layout each, "ignore" with modules that no group takes.
// github.com/neuralmagic/compressed-tensors, quantization/quant_args.py and quant_config.py.
#include "catalog/quantization/build.hpp"

#include <algorithm>
#include <optional>

namespace plimsoll::io {

namespace {

/// The catalogue's scheme for a group's weights; nothing and an issue when there is none.
std::optional<std::string> scheme_of_group(const ObjectReader& weights, const std::string& format) {
  const auto bits = weights.integer("num_bits", 8, 1, 16);
  const std::string type = weights.text("type", "int");
  const bool has_group = weights.has("group_size");
  const auto group = weights.integer("group_size", 0, -1, 65536);
  const std::string strategy = weights.text("strategy", has_group ? "group" : "tensor");
  if (!bits || !group) return std::nullopt;
  const bool symmetric = weights.flag("symmetric", true);

  const auto unknown = [&](const char* key, const std::string& what) -> std::optional<std::string> {
    weights.error(key, what, "Choose the weight format by hand.");
    return std::nullopt;
  };
  if (type == "float") {
    if (*bits == 4) return *group == 32 || format.starts_with("mxfp4") ? "mxfp4_linear" : "nvfp4";
    if (*bits != 8) return unknown("num_bits", "Floats of " + std::to_string(*bits) + " bits are not known.");
    if (format.starts_with("mxfp8") || (strategy == "group" && *group == 32)) return "mxfp8";
    if (strategy == "tensor") return "fp8_tensor";
    if (strategy == "channel") return "fp8_channel";
    if (strategy == "block") return "fp8_block";
    return unknown("strategy", "The strategy " + quoted(std::string_view{strategy}) + " is not known for floats.");
  }
  if (type != "int") return unknown("type", "The type " + quoted(std::string_view{type}) + " is neither int nor float.");
  const bool packed = format == "pack-quantized" || (format != "int-quantized" && format != "naive-quantized" && *bits < 8);
  if (!packed) {
    if (strategy == "tensor") return "int8_tensor";
    if (strategy == "channel") return "int8_channel";
    return unknown("strategy", "The strategy " + quoted(std::string_view{strategy}) + " is not known for whole bytes.");
  }
  const std::string name = "w" + std::to_string(*bits) + "a16_";
  if (strategy == "channel" || *group <= 0) return name + "channel";
  return name + "g" + std::to_string(*group) + (symmetric ? "" : "_asym");
}

void read_block(const ObjectReader& weights, SchemeBuilder& builder) {
  const Json* block = weights.member("block_structure");
  if (block == nullptr) return;
  const bool fits = block->is_array() && block->size() == 2 && (*block)[0].is_number_integer() && (*block)[1].is_number_integer() &&
                    (*block)[0].get<std::int64_t>() > 0 && (*block)[1].get<std::int64_t>() > 0;
  if (!fits)
    return weights.error("block_structure", "'block_structure' is " + quoted(*block) + ".", "State two whole numbers, as in [128, 128].");
  StoredPart& scales = builder.scheme().formats.front().parts.back();
  const Count rows{(*block)[0].get<std::int64_t>()}, columns{(*block)[1].get<std::int64_t>()};
  if (scales.rows == rows && scales.columns == columns) return;
  scales.rows = rows;
  scales.columns = columns;
  builder.change();
}

bool is_linear(const std::vector<std::string>& targets) {
  return targets.empty() || std::ranges::find(targets, "Linear") != targets.end();
}

} // namespace

void read_compressed_tensors(const ObjectReader& reader, SchemeBuilder& builder) {
  const auto groups = reader.object("config_groups");
  if (!groups || groups->json().empty()) {
    if (!reader.has("config_groups"))
      reader.error("config_groups", "'config_groups' is missing.", "State the groups that the checkpoint was compressed with.");
    else if (groups) reader.error("config_groups", "'config_groups' is empty.", "State at least one group.");
    return;
  }
  const std::string overall = reader.text("format");
  // The group of all linear maps sets the scheme; without one the first group does, for the modules that it names.
  struct Group {
    ObjectReader weights;
    std::string id;
    std::vector<std::string> targets;
  };
  std::vector<Group> read;
  for (const auto& [name, json] : groups->json().items()) {
    const auto group = groups->object(name.c_str());
    if (!group) continue;
    const auto weights = group->object("weights");
    if (!weights) {
      group->note("weights", "The group states no weights; its modules are left unquantised.", "Nothing needs to be done.");
      continue;
    }
    const auto id = scheme_of_group(*weights, group->text("format", overall));
    if (id) read.push_back({*weights, *id, group->texts("targets")});
  }
  if (read.empty()) {
    if (!has_errors(reader.issues())) reader.error("config_groups", "No group states weights.", "State the layout of the weights.");
    return;
  }
  auto main = std::ranges::find_if(read, [](const Group& group) { return is_linear(group.targets); });
  const bool all_linear = main != read.end();
  if (!all_linear) main = read.begin();
  if (!builder.use(main->weights, "num_bits", main->id)) return;
  if (main->id == "fp8_block") read_block(main->weights, builder);
  if (!all_linear)
    reader.note("config_groups", "No group is for all linear maps; what no group names is counted as the first group stores it.",
                "Choose the weight format by hand if that is wrong.");
  for (const Group& group : read) {
    if (&group == &*main || group.id == main->id) continue;
    if (const auto scheme = builder.catalog().find(group.id))
      builder.store_as(reader, "config_groups", group.targets, scheme->formats.front());
  }
  builder.keep(reader, "ignore", reader.texts("ignore"));
  if (const auto sparsity = reader.object("sparsity_config"); sparsity && sparsity->text("format", "dense") != "dense")
    reader.note("sparsity_config", "Sparse storage is not counted: the weights are taken as dense.", "Expect fewer bytes than shown.");
}

} // namespace plimsoll::io
