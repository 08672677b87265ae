#include "fields/tables.hpp"

namespace plimsoll::tables {

namespace {

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
};

} // namespace

std::span<const Field> hardware() noexcept { return kFields; }

} // namespace plimsoll::tables
