#include "chosen.hpp"

#include "catalogue.hpp"
#include "plimsoll/method/fields.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::fuzz {

namespace {

std::string number_of(const Field& field, Chooser& chooser) {
  const std::int64_t span = field.max - field.min;
  const auto within = [&](std::int64_t more) { return std::to_string(field.min + std::min(more, span)); };
  switch (chooser.below(4)) {
    case 0: return within(static_cast<std::int64_t>(chooser.below(16)));
    case 1: return within((std::int64_t{1} << chooser.below(40)) - field.min);
    case 2: return within(static_cast<std::int64_t>(chooser.below(1 << 16)));
    default: break;
  }
  return std::to_string(field.max - std::min<std::int64_t>(static_cast<std::int64_t>(chooser.below(4)), span));
}

std::string id_of(const Field& field, Chooser& chooser) {
  const io::Catalog& all = catalog();
  if (field.name == "device") return all.devices()[chooser.below(all.devices().size())].hardware.id;
  if (field.name == "profile") return all.profiles()[chooser.below(all.profiles().size())].id;
  if (field.name == "weight_dtype") return all.weights().schemes()[chooser.below(all.weights().schemes().size())].id;
  return all.models()[chooser.below(all.models().size())].id; // the scenario's, or that of a role
}

} // namespace

std::size_t Chooser::below(std::size_t n) {
  std::size_t value = 0;
  for (std::size_t most = 1; most < n && !bytes_.empty(); most <<= 8) {
    value = value << 8 | static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
  }
  return value % n;
}

io::Request chosen_request(Chooser& chooser, std::size_t most) {
  io::Request request;
  for (const char* name : {"model", "device"}) request.set(name, id_of(*find_field(name), chooser));
  const Field& task = *find_field("task");
  request.set("task", task.choices[chooser.below(task.choices.size())].name);
  for (std::size_t i = 0; i < most && !chooser.done(); ++i) {
    const Field& field = fields()[chooser.below(fields().size())];
    switch (field.kind) {
      case FieldKind::integer: request.set(field.name, number_of(field, chooser)); break;
      case FieldKind::choice: request.set(field.name, field.choices[chooser.below(field.choices.size())].name); break;
      case FieldKind::flag: request.set(field.name, chooser.below(2) == 0 ? "false" : "true"); break;
      case FieldKind::id: request.set(field.name, id_of(field, chooser)); break;
      case FieldKind::text: break; // other targets read configs
    }
  }
  return request;
}

} // namespace plimsoll::fuzz
