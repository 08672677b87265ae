#pragma once
// What a whole job takes besides its steps, counted.

#include "method/time/training/rate.hpp"
#include "plimsoll/method/time.hpp"

namespace plimsoll::timing {

/// Terms in ns where nothing else is said. Ranges are those that published clusters span around the stated figures.
struct Losses {
  Term checkpoint;  ///< bytes
  Term write;       ///< that training waits for one
  Term interval;    ///< of training between two
  Term start, evaluation, checkpoints, failures; ///< of the whole job
  Term interruptions; ///< how many to expect
  Constant share;   ///< thousandths of the job's time that steps take; >= 1
};

/// Of a job whose losses are counted and whose tokens and step are known.
Losses losses_of(const Scenario& scenario, const StepTime& step) noexcept;

} // namespace plimsoll::timing
