# What the page tests need from npm: exact versions, hashes in package-lock.json. Sourced by scripts/setup.
# Debian 12 has npm 9.2, which cannot read a lock file with an override that renames a package; of a fault in the file it tells only
# when it is verbose.

install_npm_packages() {
  # npm takes a file that it cannot parse for one that is not there
  node -e 'try { JSON.parse(fs.readFileSync(process.argv[1])); } catch ({ message }) {
    console.error(`package-lock.json: ${message}`);
    process.exit(1);
  }' "$ROOT/package-lock.json"
  npm ci --prefix "$ROOT" --ignore-scripts --loglevel=verbose
}

prepare_npm() {
  cmp -s "$ROOT/package-lock.json" "$DEPS/npm-installed.json" && [ -d "$ROOT/node_modules" ] && return 0
  step "npm packages" "npm needs its registry, and a package-lock.json that fits package.json." install_npm_packages
  cp "$ROOT/package-lock.json" "$DEPS/npm-installed.json"
}
