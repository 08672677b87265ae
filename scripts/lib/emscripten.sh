# Emscripten 3.1.60 or newer. Sourced by scripts/setup.
#   1. one that is there already: emcc on PATH, or an activated emsdk
#   2. Debian 13 and newer, or any release whose own package is new enough: that package
#   3. Debian 12: the package of Debian 13 unpacked into .deps/emscripten, driven by Debian 12's own clang-19.
#      Of its programs only Binaryen's need a newer C library; they get one beside them and start through its loader.

EMSCRIPTEN_MINIMUM=3.1.60
EMSCRIPTEN_TREE=$DEPS/emscripten

emscripten_present() {
  local version
  [ -z "${EMSDK-}" ] || return 0
  have emcc || return 1
  version=$(emcc --version 2>/dev/null | grep -o '[0-9]\+\.[0-9]\+\.[0-9]\+' | head -n 1)
  [ -n "$version" ] && version_at_least "$version" "$EMSCRIPTEN_MINIMUM"
}

# Prints one of: present, package, unpack, none.
emscripten_way() {
  local id='' major='' candidate
  if emscripten_present; then echo present; return; fi
  if [ -r /etc/os-release ]; then
    id=$(. /etc/os-release; echo "${ID-}")
    major=$(. /etc/os-release; echo "${VERSION_ID-}")
  fi
  if [ "$id" = debian ] && [ "$major" = 12 ]; then echo unpack; return; fi
  if [ "$id" = debian ]; then echo package; return; fi
  candidate=$(apt-cache policy emscripten 2>/dev/null | awk '/Candidate/ { print $2 }')
  if [ -n "$candidate" ] && version_at_least "$candidate" "$EMSCRIPTEN_MINIMUM"; then echo package; else echo none; fi
}

# Packages of the machine's release that the way needs.
emscripten_packages() {
  case $1 in
    package) echo "emscripten" ;;
    unpack) echo "clang-19 lld-19 llvm-19" ;;
  esac
}

emscripten_write_wrappers() {  # $1: tree
  local tool loader libraries
  loader=$(cd "$1/libc" && find . -name 'ld-linux*.so*' -path '*lib64*' | head -n 1)
  [ -n "$loader" ] || loader=$(cd "$1/libc" && find . -name 'ld-linux*.so*' | head -n 1)
  libraries=$(cd "$1/libc" && dirname "$(find . -name 'libc.so.6' | head -n 1)")
  libraries=${libraries#./}
  mkdir -p "$1/bin"
  for tool in "$1"/usr/bin/wasm*; do
    cat > "$1/bin/${tool##*/}" <<WRAPPER
#!/bin/sh
root=\$(dirname "\$0")/..
exec "\$root/libc/${loader#./}" --library-path "\$root/libc/$libraries:\$root/$libraries" "\$root/usr/bin/${tool##*/}" "\$@"
WRAPPER
    chmod +x "$1/bin/${tool##*/}"
  done
}

emscripten_unpack() {
  local fresh=$DEPS/emscripten.new
  local here=$fresh/usr/share/emscripten
  rm -rf "$fresh"
  use_suite trixie deb
  # 0.8 GB of library variants and tests that nothing here uses
  unpack_packages "$fresh" emscripten binaryen node-acorn \
    --without './usr/share/emscripten/test/*' './usr/share/emscripten/docs/*' './usr/share/doc/*' \
    '*/wasm32-emscripten/pic' '*/wasm32-emscripten/lto-pic'
  unpack_packages "$fresh/libc" libc6 libstdc++6 libgcc-s1
  emscripten_write_wrappers "$fresh"
  # Without a package.json of its own node would read the project's ("type": "module") for Emscripten's tools.
  echo '{"private": true, "type": "commonjs"}' > "$here/package.json"
  # Debian's node finds acorn in Debian's module path, any other node finds it here.
  mkdir -p "$here/node_modules"
  ln -sfn ../../nodejs/acorn "$here/node_modules/acorn"
  rm -rf "$EMSCRIPTEN_TREE"
  mv "$fresh" "$EMSCRIPTEN_TREE"
}

# It names absolute paths, so it is looked at every time: a checkout may have moved, or node.
emscripten_configure() {
  local file=$EMSCRIPTEN_TREE/usr/share/emscripten/.emscripten text
  text="LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = '$EMSCRIPTEN_TREE'
NODE_JS = '$(command -v node)'
CACHE = '$EMSCRIPTEN_TREE/usr/share/emscripten/cache'
FROZEN_CACHE = True"
  [ "$text" = "$(cat "$file")" ] || printf '%s\n' "$text" > "$file"
}

# Needs no package but apt's own, so it goes on while others are installed.
prepare_emscripten() {  # $1: way
  local remedy="Install Emscripten $EMSCRIPTEN_MINIMUM or newer (an activated emsdk will do) and run this script again."
  case $1 in
    none) fail "no Emscripten $EMSCRIPTEN_MINIMUM or newer here, and this release does not package one. $remedy" ;;
    unpack)
      local key
      key=$(stamp_key emscripten.sh private_apt.sh)
      stamped emscripten "$key" && return 0
      step "Emscripten into .deps/emscripten (250 MB to fetch)" "$remedy" emscripten_unpack
      stamp emscripten "$key"
      ;;
  esac
}
