#include "architectures/tables/table.hpp"

#include "architectures/tables/walk.hpp"
#include "text/compiled_value.hpp"
#include "text/json.hpp"

#include <type_traits>

namespace plimsoll::io {

namespace {

class Reading {
public:
  explicit Reading(std::string_view bytes) : at_(bytes.data()) {}

  void take(Count& count) { count.value = number(); }
  void take(std::string_view& text) {
    const auto length = static_cast<std::size_t>(number());
    text = {at_, length};
    at_ += length;
  }
  void take(std::string& text) {
    std::string_view view;
    take(view);
    text = view;
  }
  template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void take(T& value) {
    value = static_cast<T>(number());
  }

  /// Runs of equal ones: how many different, each, and how many of which stand next.
  void take_layers(std::vector<Layer>& layers) {
    std::vector<Layer> different;
    tables::list(*this, different);
    std::size_t runs = 0;
    for (take(runs); runs > 0; --runs) {
      std::size_t count = 0, which = 0;
      tables::members(*this, count, which);
      layers.insert(layers.end(), count, different[which]);
    }
  }

  void take_quantization(ImportedModel& imported) {
    take(imported.compiled_quantization);
    if (!imported.compiled_quantization.empty()) imported.quantization_config = dump(read_compiled(imported.compiled_quantization));
  }

  void take_facts(ModelFacts& facts) {
    std::size_t known = 0;
    for (take(known); known > 0; --known) {
      std::size_t fact = 0;
      take(fact);
      facts.known.set(fact);
      take(facts.values[fact]);
    }
  }

private:
  /// Seven bits in a byte, the lowest first; the last bit of the whole is the sign.
  std::int64_t number() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      bits |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return static_cast<std::int64_t>((bits >> 1) ^ (0 - (bits & 1)));
  }

  const char* at_;
};

} // namespace

ImportedModel read_table(std::string_view bytes) {
  Reading walk{bytes};
  ImportedModel imported;
  Architecture architecture;
  tables::members_of(walk, imported);
  tables::members_of(walk, architecture);
  imported.model = make_model(architecture);
  return imported;
}

} // namespace plimsoll::io
