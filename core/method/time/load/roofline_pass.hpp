#pragma once
// A pass of an engine whose kernels nobody has measured: by the data sheet's rates and the shares of them that the engine reaches, as estimates of its
// decode steps and prompts are (time/decode.cpp, time/prefill.cpp).

#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll::timing {

struct Mix;
struct PassTimes;

class RooflinePass {
public:
  /// Nothing where the engine's shares or the device's rates are not known. `scenario` must outlive it.
  static std::optional<RooflinePass> of(const Scenario& scenario);

  /// Reads or multiplications, whichever take longer, and what both wait for. A pass of more tokens than the engine multiplies at once
  /// (llama.cpp's --ubatch-size) reads all weights anew for each such piece.
  void add(const Mix& mix, double positions, PassTimes& times) const noexcept;

private:
  struct Routed {
    std::size_t group;
    double bytes, left; ///< of all experts on the GPU, and of those that the host keeps
  };
  struct Cached {
    const LayerGroup* group;
    double per_token, left; ///< bytes in all layers on the GPU, and in those that the host keeps
  };

  double met(const Routed& routed, double tokens) const noexcept;

  const Scenario* scenario_ = nullptr;
  const Efficiency* efficiency_ = nullptr;
  std::vector<Routed> routed_;
  std::vector<Cached> cached_;
  double dense_ = 0, dense_left_ = 0;   ///< bytes of weights that every pass reads, on the GPU and of the host
  double states_ = 0;                   ///< bytes of the states of one sequence
  double work_ = 0, head_ = 0, all_work_ = 0; ///< FLOP of a token in the layers on the GPU, in the head, and in all layers
  double weights_rate_ = 1, cache_rate_ = 1, state_rate_ = 1, flop_ = 1, host_rate_ = 1, copy_rate_ = 0; ///< of memory in bytes/s, of units in FLOP/s
  double layers_ = 0, wait_ = 0, wait_token_ = 0; ///< ns of waits for each pass and for each token
  double piece_ = 1;                    ///< tokens that are multiplied at once
};

} // namespace plimsoll::timing
