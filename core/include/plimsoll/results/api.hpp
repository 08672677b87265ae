#pragma once
// The estimator as functions from text to text: what the command line prints with --json, what the JS module returns and
// what the page shows are these same bytes. None of them throws.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// {"ok", "issues", "query", "scenario", "headline", "estimate"}; "estimate" is null when ok is false.
std::string estimate_json(const Answer& answer);

/// estimate_json plus "explanation": {"memory", "parameters", "facts"} as trees of components, and the "rules" of rules_json.
/// With `readings`, also what sources read of such a run besides its peak: {"ranks": [{"rank", "requested_bytes", "allocated_bytes",
/// "reserved_bytes", "process_bytes", and when training "first_step_bytes", "first_micro_batch_bytes", "between_steps_bytes"}] of the first,
/// the fullest and the last pipeline rank, "context_bytes", "layer_saved_bytes", "layer_forward_bytes"}. Each rank costs a replay.
std::string explain_json(const Catalog& catalog, const Answer& answer, bool readings = false);

/// {"ok", "issues", "query", "rules": [{"rule": a component, "against", "estimate", "estimate_text", "permille", "leaves_out"}]}: rules of
/// thumb beside the estimate's numbers (plimsoll/rules.hpp).
std::string rules_json(const Catalog& catalog, const Answer& answer);

/// {"ok", "headline"}, the one of estimate_json alone: what a page shows first.
std::string headline_json(Answer answer);

/// {"ok", "issues", "query"}.
std::string validate_json(const Answer& answer);

/// What a config.json says of a model: {"ok", "issues", "architecture", "family", "fields": what to give to estimate, "facts": every
/// fact that it has, "parameters", "active_parameters", "components": {"vision", "audio", "prediction"}, "groups": [{"id", "label",
/// "layers", "parameters", "parts": [{"kind", "label", "parameters", "tensors": [{"name", "rows", "columns", "copies"}]}]}],
/// "quantization", "dtype", "query"}. Parameters of a group are those of all its layers; the group "" is what stands outside layers.
std::string import_config_json(std::string_view text, const Overrides& overrides = {});

/// {"ok": false, "issues": [...]}: for what goes wrong before there is a text to read, such as a missing file.
std::string failure_json(const Issues& issues);

/// {"models": [...], "devices": [...], "profiles": [...], "citations": [...]}.
std::string catalog_json(const Catalog& catalog);
/// {models, devices, profiles, weight_formats}: their ids and names, and what a list shows beside these; all that was published about each is catalog_json()'s.
std::string names_json(const Catalog& catalog);

/// [{"name", "topic", "kind", "label", "unit", "help", "min", "max", "defaults", "choices", ...}].
std::string fields_json(const Catalog& catalog);

/// The canonical query after a person's change of one input: see edit() in request.hpp. Where no config can be read yet, one that reads_config() is given as
/// it is written.
std::string edit_query(const Catalog& catalog, std::string_view query, std::string_view name, std::string_view text, bool can_read = true);

/// Answers from the texts that the borders give.
Answer answer_query(const Catalog& catalog, std::string_view query);
Answer answer_json(const Catalog& catalog, std::string_view json);

/// The same with devices of the user's own, a text of the form of docs/prices.md; what is wrong with it is among the answer's issues.
Answer answer_with_devices(const Catalog& catalog, std::string_view input, bool is_json, std::string_view devices);

/// The program's version, e.g. "0.1.0".
std::string_view version() noexcept;

} // namespace plimsoll::io
