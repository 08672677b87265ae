#pragma once
// What a step of learning from answers is made of, as verl and OpenRLHF state it: roles beside the model that trains, and micro-batches.

#include "files/training/request_builder.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io::programs {

/// Models beside the actor.
struct Roles {
  bool critic = false;     ///< PPO; answers in groups otherwise
  bool references = false; ///< for a penalty on what the actor moves away from
  bool learned = false;    ///< a reward model
  bool offloads = false;   ///< they wait on the host between their passes
  std::string critic_model, reward_model; ///< as they are typed; "" where the model is the actor's
};
void set_roles(configs::RequestBuilder& draft, const Roles& roles);

/// Of the sequences of an optimizer's step, those of one replica; 0 where the replicas are not told, or do not divide them.
std::int64_t of_each_replica(const configs::RequestBuilder& draft, std::int64_t sequences);

/// Sets batch, and micro_batches where so many go into the step's sequences of a replica without a rest.
/// @param sequences of an optimizer's step on a replica; 0 where nobody knows.
void set_batches(configs::RequestBuilder& draft, std::int64_t batch, std::int64_t sequences);

/// Sets batch and micro_batches to what sequences of full length make of it: as few micro-batches as hold them all, alike among them. Shorter sequences
/// are more in each, with as many tokens.
/// @param tokens of a micro-batch at most, on all GPUs that divide its sequences together; below `length` it holds one sequence.
/// @param length tokens of a sequence; nothing is set where it is not above 0.
/// @param sequences of an optimizer's step on a replica; 0 where nobody knows: then as many as the tokens take, rounded up.
/// @param key that states the tokens, as people write it.
void fill_batches(configs::RequestBuilder& draft, std::int64_t tokens, std::int64_t length, std::int64_t sequences, std::string_view key);

/// Sequences of full length in one micro-batch of so many tokens, rounded up; 1 where the length is not above 0.
std::int64_t filled_sequences(std::int64_t tokens, std::int64_t length);

} // namespace plimsoll::io::programs
