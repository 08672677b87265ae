# What the page tests need from npm: exact versions, hashes in package-lock.json. Sourced by scripts/setup.

prepare_npm() {
  cmp -s "$ROOT/package-lock.json" "$DEPS/npm-installed.json" && [ -d "$ROOT/node_modules" ] && return 0
  step "npm packages" "Check that npm reaches its registry, then run this script again." \
    npm ci --prefix "$ROOT" --ignore-scripts
  cp "$ROOT/package-lock.json" "$DEPS/npm-installed.json"
}
