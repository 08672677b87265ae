#pragma once
// A measured row as a question to the estimate, and the one place where the estimate answers it.

#include "evidence/rows.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/evidence/measured_row.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::accuracy {

/// The presets: models, devices, profiles.
const Catalog& presets();

/// A catalogue model by id, alias or name, letter case and signs between words ignored; a size at the end of the name may be left out
/// ("phi-1.5 1.3 B"). Null when none or several are meant.
const ModelRow* find_model(std::string_view name);

/// The device that the text names, into `row`; the default one, listed among what is assumed, when it names none or several.
void read_device(std::string_view text, MeasuredRow& row);

/// The scheme of the frozen base weights, into `row`.
void store_base(std::string_view scheme, MeasuredRow& row);
/// What the version of bitsandbytes that `texts` name did with the inputs of 4-bit multiplications; assumed to be a new one where none
/// is named.
void read_bitsandbytes(std::initializer_list<std::string_view> texts, MeasuredRow& row);

/// torch.compile on the whole model, and on the loss where the framework's flag takes it along and the row names no other way to it:
/// torchtitan (components/loss.py). In torchtune, a loss in chunks is compiled chunk by chunk (training/_compile.py, compile_loss).
void compile_all(MeasuredRow& row);

/// What the estimate says to that row.
void predict(const MeasuredRow& row, Comparison& comparison);

/// The row as a question that people can ask, "task=pretrain&model=custom&…"; "" where the facts of a plain decoder do not describe its
/// model, or a field has no word for a value.
std::string query_of(const MeasuredRow& row);

/// One comparison in `into`, of the row with that id.
void compare_measured(const MeasuredRow& row, std::string id, std::vector<Comparison>& into);

} // namespace plimsoll::io::accuracy
