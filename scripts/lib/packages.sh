# Packages of the machine's own release. Sourced by scripts/setup.
# A tool is wanted as a command, wherever it comes from; a library or font is wanted as a package.

# what the page needs; esbuild puts its modules together
TOOLS_build="cmake=cmake ninja=ninja-build ccache=ccache python3=python3 xz=xz-utils node=nodejs esbuild=esbuild"
PACKAGES_build="fonts-roboto-unhinted fonts-dejavu-core"
# what the native programs and their tests need; Mesa's drivers and Xvfb are a graphics card and a screen for those
# machines that have none; the tests read the list of files from git, and pack for Debian, which looks into the programs with file
TOOLS_desktop="cmake=cmake ninja=ninja-build ccache=ccache python3=python3 xz=xz-utils g++=g++ xvfb-run=xvfb xauth=xauth"
TOOLS_desktop+=" git=git dpkg-shlibdeps=dpkg-dev file=file"
# of models by address, the command line compiles against libcurl's header and loads the library when it is asked for one
PACKAGES_desktop="$PACKAGES_build libcli11-dev libcurl4-openssl-dev libglfw3-dev libgl-dev libgl1-mesa-dri"
# what the page tests need on top; npm needs the certificates
# the generators of documentation are there to build the examples of docs/embedding; the build with sanitizers takes a second compiler
# (the one that Emscripten brings along), which is faster at it and warns of other things
# zsh, fish and man read what the program writes for them, and yamllint and shellcheck the files of releases
TOOLS_test="zsh=zsh fish=fish mandoc=mandoc yamllint=yamllint shellcheck=shellcheck clang++-19=clang-19 llvm-cov-19=llvm-19 chromium-headless-shell=chromium-headless-shell firefox-esr=firefox-esr npm=npm mkdocs=mkdocs sphinx-build=python3-sphinx"
# the Python package is built and installed into an environment of its own; GNU parallel divides many questions as its users do; openssl makes
# the certificate of the test's server
TOOLS_test+=" parallel=parallel openssl=openssl"
PACKAGES_test="ca-certificates libclang-rt-19-dev pybind11-dev python3-dev python3-venv python3-yaml"

have() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
package_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Prints what is missing for the groups given, as package names.
missing_packages() {
  local group variable pair package
  for group; do
    variable=TOOLS_$group
    for pair in ${!variable}; do have "${pair%%=*}" || echo "${pair#*=}"; done
    variable=PACKAGES_$group
    if have dpkg-query; then
      for package in ${!variable}; do package_installed "$package" || echo "$package"; done
    fi
  done | sort -u
}

apt_install() {
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends)
  as_root "${command[@]}" "$@" && return
  # the lists may be old
  again "with fresh lists"
  as_root apt-get update
  as_root "${command[@]}" "$@"
}

have_lists() { ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1; }
fetch_lists() { as_root apt-get update && have_lists; }    # apt-get update succeeds without a network, too

# That packages can be installed, $@, and apt's lists are there: a fresh machine has none.
ready_to_install() {
  [ $# -gt 0 ] || return 0
  have apt-get ||
    fail "there is no apt-get to install what is missing: $*. Install it by hand; scripts/lib/packages.sh says what each is for."
  if [ "$(id -u)" != 0 ]; then
    have sudo || fail "these packages are missing: $*. Install them as root: apt-get install $*"
    sudo -v || fail "installing packages needs root. Run as root: apt-get install $*"
  fi
  have_lists || step "lists of packages" "apt-get update must work on this machine." fetch_lists
}

install_packages() {  # $@: package names
  [ $# -gt 0 ] || return 0
  step "installing $# packages ($(echo "$@" | cut -c1-60)...)" \
    "apt-get update must work on this machine, and its release must have them." apt_install "$@"
}

# Emscripten 3.1.6 of Debian 12 lacks most of the C++20 library, so it does not count.
version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }
