#include "fonts.hpp"

#include "embedded/fonts.hpp"
#include "theme.hpp"

#include <cstdio>
#include <string_view>

namespace plimsoll::app {
namespace {

ImFont* add(const char* file) {
  const std::string_view bytes = fonts::file(file);
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false; // it is part of the program
  std::snprintf(config.Name, sizeof config.Name, "%s", file);
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()),
                                                    type_size::body, &config);
}

} // namespace

Fonts load_fonts() {
  ImFont* const regular = add("plimsoll-regular.ttf");
  ImFont* const medium = add("plimsoll-medium.ttf");
  ImFont* const mono = add("plimsoll-mono.ttf");
  return {.label = Type{regular, type_size::label},
          .label_strong = Type{medium, type_size::label},
          .body = Type{regular, type_size::body},
          .body_strong = Type{medium, type_size::body},
          .total = Type{medium, type_size::total},
          .name = Type{medium, type_size::name},
          .headline_narrow = Type{medium, type_size::headline_narrow},
          .headline = Type{medium, type_size::headline},
          .code = Type{mono, type_size::code}};
}

} // namespace plimsoll::app
