// Heads that give labels in place of tokens, as the first class of `architectures` has one. Sources: huggingface/transformers,
// modeling_layers.py, GenericForSequenceClassification (score); models/bert/modeling_bert.py, models/roberta/modeling_roberta.py
// (RobertaClassificationHead), models/modernbert/modeling_modernbert.py (ModernBertPredictionHead).
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

void add_linear(Architecture& to, std::string_view map, std::string_view bias, Count rows, Count columns) {
  to.extras.push_back(map_tensor(map, TensorKind::pooler, rows, columns));
  to.extras.push_back(vector_tensor(bias, TensorKind::pooler, rows));
}

} // namespace

std::string class_of(const ModelBuilder& draft) {
  const auto at = draft.whole_file.find("architectures");
  const bool named = at != draft.whole_file.end() && at->is_array() && !at->empty() && at->front().is_string();
  return named ? at->front().get<std::string>() : std::string{};
}

bool classifies_sequences(const ModelBuilder& draft) { return class_of(draft).ends_with("ForSequenceClassification"); }

bool classifies_tokens(const ModelBuilder& draft) { return class_of(draft).ends_with("ForTokenClassification"); }

Count read_labels(ModelBuilder& draft) {
  ConfigReader whole = draft.read.outermost(draft.whole_file);
  const Json* const names = whole.find("id2label");
  const std::int64_t named = names != nullptr && names->is_object() && !names->empty() ? static_cast<std::int64_t>(names->size()) : 2; // the class's own
  return Count{whole.number({"num_labels"}, {1, 16'777'216}, named)};
}

void read_classifier(ModelBuilder& draft) {
  const bool sequences = classifies_sequences(draft), tokens = classifies_tokens(draft);
  if (!sequences && !tokens) return;
  Architecture& out = draft.out;
  const Count labels = read_labels(draft), width = out.hidden_size;
  const bool was_decoder = out.has_head;
  out.has_head = out.head_bias = false;
  const ClassifierRule rule = draft.family.classifier;
  if (rule == ClassifierRule::dense && sequences) add_linear(out, "classifier.dense", "classifier.dense.bias", width, width);
  if (rule == ClassifierRule::dense_norm) {
    out.extras.push_back(map_tensor("head.dense", TensorKind::pooler, width, width));
    out.extras.push_back(vector_tensor("head.norm", TensorKind::pooler, width));
  }
  if (was_decoder && sequences) out.extras.push_back(map_tensor("score", TensorKind::pooler, labels, width));
  else add_linear(out, "classifier", "classifier.bias", labels, width);
}

} // namespace plimsoll::io
