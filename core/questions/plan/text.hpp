#pragma once

#include "plimsoll/method/plan.hpp"

#include <string>

namespace plimsoll::io {

/// "tensor 8 × pipeline 4 × data 2, optimizer states sharded, 4 × 2 sequences, full recomputation": what a plan says in a line.
std::string text_of_choice(const PlanChoice& choice);

/// The same without degrees and numbers of micro-batches: "optimizer states sharded, full recomputation".
std::string rest_of_choice(const PlanChoice& choice);

} // namespace plimsoll::io
