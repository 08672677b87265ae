#pragma once
// Several answers beside each other: the same numbers of each, and how far each is from the first.

#include "plimsoll/answer/answer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// One number of one answer.
struct ComparedCell {
  bool known = false;       ///< false: this answer has no such number
  std::int64_t amount = 0;
  std::string text;         ///< "14.9 GiB"
  std::string difference;   ///< from the first answer that is not this one: "+1.31 GiB"; "" where both are equal or one is not known
  std::string share;        ///< of the first: "+9.6 %"; "" likewise, and where the first is 0
};

struct ComparedRow {
  std::string id;    ///< "memory.weights", "process", "fact.tokens_per_second"
  std::string label;
  std::string_view unit;
  bool more_is_better = false;
  std::vector<ComparedCell> cells; ///< one per answer, in their order
};

/// The process, what is in use at the peak and its categories, what is left, times and money where they are known. Answers with errors
/// have no numbers. A row that no answer has is left out.
std::vector<ComparedRow> compare(std::span<const Answer* const> answers);

/// Where the inputs differ from the first answer's, as people read them: "pipeline 4 stages, task pre-train"; "the same question" where nowhere.
std::string differing_inputs(const Catalog& catalog, const Answer& first, const Answer& other);

constexpr std::size_t kMostCompared = 9;

/// compare() of 1 to kMostCompared questions, as in URLs, with devices of the user's own or "": {"ok", "issues", "questions": [{"query",
/// "ok", "model", "device", "differs": differing_inputs() of the first and this one}], "rows": [{"id", "label", "unit", "more_is_better",
/// "cells": [{"amount", "text", "difference", "share"}, or null where the question has no such number]}]}. Of money it says nothing.
std::string compare_json(const Catalog& catalog, std::span<const std::string> queries, std::string_view devices = {});

} // namespace plimsoll::io
