#pragma once
// What is launched, before it is written in anybody's form.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "text/json.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::manifests {

/// How an engine is started in a container.
struct Server {
  std::string_view engine, image;
  std::int64_t port;
  std::string_view module{};  ///< the same engine as Dynamo starts it; "" where it does not
  bool across_nodes = false;  ///< its processes find each other by spread()
};
const Server* server_of(std::string_view engine) noexcept;

/// How a framework is started on each node, with the name of the file that says the rest; "" in place of a name: all is on the command line.
struct Trainer {
  std::string_view profile, format, file, starts;
};
const Trainer* trainer_of(std::string_view profile) noexcept;

/// The variables by which the processes of several nodes find each other.
struct Rendezvous {
  std::string_view nodes, rank, leader;
};

struct Deployment {
  std::string name;               ///< as Kubernetes takes it: small letters, digits and hyphens
  std::string model;              ///< as the engine takes it
  std::vector<std::string> words; ///< of the command line of serving
  std::string text;               ///< the same as a shell's text of several lines; of training the file
  const Server* server = nullptr;   ///< null of training
  const Trainer* trainer = nullptr; ///< null of serving
  const DeviceRow* device = nullptr; ///< null for a device of somebody's own
  std::int64_t gpus = 1, nodes = 1, gpus_each = 1;
  std::vector<std::string> comments; ///< what whoever launches it should know
};

/// Words that a node adds where an engine runs on several of them.
std::vector<std::string> spread(const Server& server, std::string_view nodes, std::string_view rank, std::string_view leader, bool leads);

/// A shell's script that starts it, on one node or on each of several.
std::string script_of(const Deployment& deployment, const Rendezvous& meet);

/// How many GPUs a container asks for, e.g. {"nvidia.com/gpu": 8}.
Json gpu_limits(const Deployment& deployment);

/// A format of manifests.
struct Format {
  std::string_view id, source;
  bool trains = false;       ///< can start training too
  bool across_nodes = false; ///< can launch on more than one node
  std::string_view engine{}; ///< that alone it starts; "" = any
  std::string (*text)(const Deployment&) = nullptr;
};
std::span<const Format> formats() noexcept;

std::string kubernetes(const Deployment& deployment);
std::string leaderworkerset(const Deployment& deployment);
std::string kserve(const Deployment& deployment);
std::string llm_d(const Deployment& deployment);
std::string dynamo(const Deployment& deployment);
std::string ray_serve(const Deployment& deployment);
std::string compose(const Deployment& deployment);
std::string modelfile(const Deployment& deployment);
std::string slurm(const Deployment& deployment);
std::string skypilot(const Deployment& deployment);
std::string dstack(const Deployment& deployment);

} // namespace plimsoll::io::manifests
