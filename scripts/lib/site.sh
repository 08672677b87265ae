# Building the page and putting it together in build/site, and the npm packages in build/package and build/package-mcp. Sourced by scripts/serve and scripts/test.

# PLIMSOLL_SITE_URL: the address at which the site will stand, for its sitemap; not needed to use it.
configure_site() { cmake --preset wasm-release "-DPLIMSOLL_SITE_URL=${PLIMSOLL_SITE_URL-}"; }

# Only what the page consists of; scripts/test builds the rest of the preset as well.
build_site() { cmake --build --preset wasm-release --target web/all imgui_app/all; }

# From an empty folder, so that a file of yesterday does not hide that it is missing today.
assemble_site() {
  rm -rf build/site build/package build/package-mcp
  cmake --install build/wasm-release --component site --prefix build/site &&
    cmake --install build/wasm-release --component npm --prefix build/package &&
    cmake --install build/wasm-release --component mcp --prefix build/package-mcp
}
