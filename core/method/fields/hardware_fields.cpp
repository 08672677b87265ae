#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"

#include <utility>
#include <vector>

namespace plimsoll::tables {

namespace {

constexpr Choice kLinks[] = {
    {"device", value(GpuLink::device), "as the device does", "Over links of their own where they have any, else over PCIe; cards of workstations through the host's memory, as GeForce's driver and NCCL across host bridges have it."},
    {"pcie", value(GpuLink::pcie), "over PCIe", "Over PCIe, into each other's memory: cards behind a PCIe switch, two cards on AMD, cards without their bridge, GeForce with a driver that allows it."},
    {"host", value(GpuLink::host), "through the host", "Into the host's memory and out of it again, at 0.4 of PCIe's rate (assumed: copies measured on A40 and RTX 4090 reach 0.3 to 0.49): NCCL_P2P_DISABLE=1, some virtual machines."},
};

constexpr Field kFields[] = {
    {.name = "usable_bytes",
     .topic = Topic::hardware,
     .kind = FieldKind::integer,
     .label = "usable memory",
     .unit = "bytes",
     .help = "What a process can allocate on one device. Without a value, the device's reading; give your own, as "
             "torch.cuda.mem_get_info reports it, or less where other programs share the device.",
     .advanced = true,
     .min = 1 << 20,
     .max = std::int64_t{1} << 50,
     .get = get<&Inputs::hardware, &Hardware::usable_bytes>,
     .set = set<&Inputs::hardware, &Hardware::usable_bytes>},
    {.name = "usable_each",
     .topic = Topic::hardware,
     .kind = FieldKind::text,
     .label = "memory of each GPU",
     .unit = "bytes",
     .help = "Where GPUs that get layers one after the other differ: what a process can allocate on each of them, in their order, joined by commas. The answer is "
             "of the one that is full first; times are those of the device.",
     .tasks = kServing,
     .advanced = true,
     .needs = {has_pipeline, "Set pipeline_parallel above 1"},
     .min = 1 << 20,
     .max = std::int64_t{1} << 50,
     .list = [](const Inputs& inputs) -> const std::vector<std::int64_t>& { return inputs.hardware.usable_each; },
     .set_list = [](Inputs& inputs, std::vector<std::int64_t> each) { inputs.hardware.usable_each = std::move(each); }},
    {.name = "host_bytes",
     .topic = Topic::hardware,
     .kind = FieldKind::integer,
     .label = "host memory",
     .unit = "bytes",
     .help = "What a node's host has for all of its GPUs together: what is offloaded, or what an engine leaves to the host, must fit there. "
             "0 = not stated, and nothing is checked.",
     .tasks = kAllTasks,
     .advanced = true,
     .min = 0,
     .max = std::int64_t{1} << 50,
     .get = get<&Inputs::hardware, &Hardware::host_bytes>,
     .set = set<&Inputs::hardware, &Hardware::host_bytes>},
    {.name = "gpus_per_node",
     .topic = Topic::hardware,
     .kind = FieldKind::integer,
     .label = "node",
     .unit = "GPUs",
     .help = "Devices that fast links join. What more devices exchange passes through the network.",
     .tasks = kTraining,
     .advanced = true,
     .min = 1,
     .max = 65'536,
     .get = get<&Inputs::hardware, &Hardware::gpus_per_node>,
     .set = set<&Inputs::hardware, &Hardware::gpus_per_node>},
    {.name = "gpu_link",
     .topic = Topic::hardware,
     .kind = FieldKind::choice,
     .label = "link of GPUs",
     .unit = "",
     .help = "How GPUs of one node exchange, which decides how long they wait for each other.",
     .tasks = kAllTasks,
     .advanced = true,
     .choices = kLinks,
     .get = get<&Inputs::hardware, &Hardware::gpu_link>,
     .set = set<&Inputs::hardware, &Hardware::gpu_link>},
    {.name = "network_bytes_per_s",
     .topic = Topic::hardware,
     .kind = FieldKind::integer,
     .label = "network",
     .unit = "bytes/s",
     .help = "Between nodes, for each device, in one direction. Without a value 50 GB/s are assumed: one port of 400 Gb/s for each GPU, as in "
             "servers of eight H100. Caches of prompts that other GPUs answer pass through it too.",
     .tasks = kAllTasks,
     .advanced = true,
     .min = 1'000'000,
     .max = 100'000'000'000'000,
     .get = get<&Inputs::hardware, &Hardware::network_bytes_per_s>,
     .set = set<&Inputs::hardware, &Hardware::network_bytes_per_s>},
    {.name = "oversubscription",
     .topic = Topic::hardware,
     .kind = FieldKind::integer,
     .label = "oversubscription",
     .unit = "times",
     .help = "How many times as much a network's leaf switches have towards the nodes as towards its spine: 1 where nothing is blocked, such as 3 where 3:1 is. "
             "What nodes of a training exchange is taken to cross the spine, by its part of it.",
     .tasks = kTraining,
     .advanced = true,
     .min = 1000,
     .max = 1'000'000,
     .defaults = {1000, 1000, 1000},
     .get = get<&Inputs::hardware, &Hardware::oversubscription_permille>,
     .set = set<&Inputs::hardware, &Hardware::oversubscription_permille>,
     .decimals = 3,
     .former = "oversubscription_permille"},
    {.name = "nvme_bytes_per_s",
     .topic = Topic::hardware,
     .kind = FieldKind::integer,
     .label = "NVMe",
     .unit = "bytes/s",
     .help = "What a node's drives read or write together. Without a value 25 GB/s are assumed, as of the machines that ZeRO-Infinity was measured on.",
     .tasks = kAllTasks,
     .advanced = true,
     .min = 1'000'000,
     .max = 100'000'000'000'000,
     .get = get<&Inputs::hardware, &Hardware::nvme_bytes_per_s>,
     .set = set<&Inputs::hardware, &Hardware::nvme_bytes_per_s>},
};

} // namespace

std::span<const Field> hardware() noexcept { return rows_of<kFields>(); }
std::span<const Texts> hardware_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
