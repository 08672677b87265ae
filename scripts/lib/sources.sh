# Third-party C++ sources in .deps/src, where cmake/Dependencies.cmake looks first. Sourced by scripts/setup.
# A suite of the mirror may miss a file for a while, hence the list of suites for each; the version is checked
# against a minimum, not an exact number, because suites move on. Of a library that is nothing but headers its package of them is enough.

#          directory      package         minimum  suites
SOURCES=("imgui          imgui           1.92     forky sid"
         "catch2         catch2          3.7      trixie forky sid"
         "nlohmann_json  nlohmann-json3  3.11     trixie forky sid bookworm"
         "libyaml        libyaml         0.2.5    trixie forky sid bookworm"
         "tomlplusplus   libtomlplusplus-dev  3.3  trixie forky sid bookworm")

source_version() {  # of the candidate in the current suite, without its epoch
  private_apt apt-cache showsrc --only-source "$1" 2>/dev/null | sed -n 's/^Version: *\([0-9]*:\)\{0,1\}//p' | sort -V | tail -n 1
}

package_version() {
  private_apt apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: *\([0-9]*:\)\{0,1\}//p'
}

prepare_source() {  # directory package minimum suite...
  local directory=$1 package=$2 minimum=$3 suite version kind=source index=deb-src
  shift 3
  case $package in *-dev) kind=package index=deb ;; esac
  for suite; do
    use_suite "$suite" $index || continue
    version=$(${kind}_version "$package")
    if [ -n "$version" ] && version_at_least "$version" "$minimum" && unpack_$kind "$package" "$DEPS/src/$directory"; then
      echo "$package $version from $suite"
      echo "$version" > "$DEPS/src/$directory.version"
      return 0
    fi
    echo "$suite has no usable $package >= $minimum (found '${version}')" >&2
  done
  return 1
}

# Without a Debian mirror nothing is prepared: CMake then fetches the pinned upstream releases.
prepare_sources() {
  local row name
  for row in "${SOURCES[@]}"; do
    # shellcheck disable=SC2086
    set -- $row
    name=$1
    [ -e "$DEPS/src/$name.version" ] && [ -d "$DEPS/src/$name" ] && continue
    if [ -z "$(debian_mirror)" ]; then
      say "  $name: no Debian mirror here, CMake will fetch the pinned release"
      continue
    fi
    step "source of $name" "Check the machine's apt sources, or delete .deps/apt and try again." prepare_source "$@"
  done
}
