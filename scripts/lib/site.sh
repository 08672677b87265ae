# Building the page and putting it together in build/site, and its npm package in build/package. Sourced by scripts/serve and scripts/test.

configure_site() { cmake --preset wasm-release; }

# Only what the page consists of; scripts/test builds the rest of the preset as well.
build_site() { cmake --build --preset wasm-release --target web/all imgui_app/all; }

# From an empty folder, so that a file of yesterday does not hide that it is missing today.
assemble_site() {
  rm -rf build/site build/package
  cmake --install build/wasm-release --component site --prefix build/site &&
    cmake --install build/wasm-release --component npm --prefix build/package
}
