#include "method/explain/parameters.hpp"

#include "method/explain/tree.hpp"
#include "method/parameters/kinds.hpp"
#include "method/term.hpp"

#include <array>
#include <utility>

namespace plimsoll {

namespace {

constexpr Formula kTensor{[] { return FormulaText{
    .id = "parameters",
    .label = "Tensor",
    .unit = "parameters",
    .text = "layers * copies * rows * columns",
    .citation = "model_code",
    .basis = Basis::counted,
    .symbols = {{{"layers", "layers", "that have it", "layers"},
                 {"copies", "tensors", "alike ones in a layer: one per expert, norm or block", ""},
                 {"rows", "channels", "numbers that come out of the map, or entries of a vector", ""},
                 {"columns", "channels", "numbers that go into the map; 1 for a vector", ""}}}}; }};

/// The inputs that a dimension of a well-known tensor comes from, for the screen to point at.
struct Fields {
  std::string_view tensor, copies, rows, columns;
};
constexpr std::array<Fields, 15> kFields{{{"embed_tokens", "", "vocab_size", "hidden_size"},
                                          {"embed_positions", "", "learned_positions", "hidden_size"},
                                          {"q_proj", "", "query_heads", "hidden_size"},
                                          {"k_proj", "", "kv_heads", "hidden_size"},
                                          {"v_proj", "", "kv_heads", "hidden_size"},
                                          {"o_proj", "", "hidden_size", "query_heads"},
                                          {"q_a_proj", "", "q_lora_rank", "hidden_size"},
                                          {"q_b_proj", "", "query_heads", "q_lora_rank"},
                                          {"kv_a_proj_with_mqa", "", "kv_lora_rank", "hidden_size"},
                                          {"kv_b_proj", "", "query_heads", "kv_lora_rank"},
                                          {"gate_proj", "", "intermediate_size", "hidden_size"},
                                          {"up_proj", "", "intermediate_size", "hidden_size"},
                                          {"down_proj", "", "hidden_size", "intermediate_size"},
                                          {"norm", "norms_per_layer", "hidden_size", "norm"},
                                          {"lm_head", "", "vocab_size", "hidden_size"}}};

Fields fields_of(const Tensor& tensor) {
  const bool expert = tensor.kind == TensorKind::experts, shared = tensor.kind == TensorKind::shared_experts;
  for (Fields fields : kFields) {
    if (fields.tensor != tensor.name) continue;
    for (std::string_view* field : {&fields.rows, &fields.columns})
      if (*field == "intermediate_size" && (expert || shared)) *field = expert ? "expert_size" : "shared_expert_size";
    if (expert) fields.copies = "experts";
    return fields;
  }
  if (tensor.kind == TensorKind::router) return {tensor.name, "", "experts", "hidden_size"};
  return {};
}

Component leaf_of(const Model& model, const ModelTensor& part) {
  const Tensor& tensor = part.tensor;
  Term term = make_term(kTensor, part.layers * elements(tensor),
                        {part.layers.value, tensor.copies.value, tensor.rows.value, tensor.columns.value});
  const Term kind = parameters::kind_term(tensor.kind, model.group_of(part), Count{0});
  term.of = kind.formula;
  term.group = kind.group;
  term.tensor = &tensor;
  Component leaf = component_of(term);
  const bool of_kind = tensor.kind == TensorKind::attention && kind.group != nullptr && !kind.group->attention_shape.citation.empty();
  leaf.citation = of_kind ? kind.group->attention_shape.citation : kind.formula->written().citation;
  const Fields fields = fields_of(tensor);
  leaf.symbols[1].field = fields.copies;
  leaf.symbols[2].field = fields.rows;
  leaf.symbols[3].field = fields.columns;
  return leaf;
}

Component tree_of(const Model& model, Component root, bool language_model) {
  for (const ModelTensor& part : model.tensors) {
    if (in_language_model(part.tensor.kind) != language_model) continue;
    Component leaf = leaf_of(model, part);
    if (leaf.amount == 0) continue;
    const Component branch = component_of(parameters::kind_term(part.tensor.kind, model.group_of(part), Count{0}));
    if (root.parts.empty() || root.parts.back().id != branch.id) root.parts.push_back(sum_of(branch.id, branch.label, root.unit));
    add_amounts(root, leaf);
    add_part(root.parts.back(), std::move(leaf));
  }
  return root;
}

} // namespace

Component parameters_tree(const Model& model) { return tree_of(model, sum_of("parameters", "Parameters", "parameters"), true); }

Component components_tree(const Model& model) {
  return tree_of(model, sum_of("components", "Beside the language model", "parameters"), false);
}

} // namespace plimsoll
