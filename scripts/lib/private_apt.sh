# Takes single packages from another Debian suite without touching the machine's own package system: a private
# list, cache and status file under .deps/apt, on the mirror that the machine already uses. Sourced by scripts/setup.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# What of Debian the machine's own configuration asks: "<mirror> <suite>" on each line.
debian_suites() {
  apt-get indextargets --format '$(CREATED_BY)|$(ORIGIN)|$(REPO_URI)|$(CODENAME)' 2>/dev/null |
    awk -F'|' '$1 == "Packages" && $2 == "Debian" && !seen[$3 $4]++ { print $3, $4 }'
}

# The machine's Debian mirror: the one of the suite itself, not of its updates.
debian_mirror() { debian_suites | awk '$2 !~ /-/ { print $1; exit }'; }

# use_suite SUITE deb|deb-src: afterwards `private_apt` talks to that suite only, and believes that nothing is installed.
use_suite() {
  local mirror
  APT_HOME=$DEPS/apt/$1-$2
  [ ! -e "$APT_HOME/ready" ] || return 0
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || { echo "no Debian mirror in this machine's apt configuration" >&2; return 1; }
  rm -rf "$APT_HOME"
  mkdir -p "$APT_HOME"/{sources.d,lists/partial,archives/partial}
  : > "$APT_HOME/status"
  printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$2" "$mirror" "$1" "$KEYRING" \
    > "$APT_HOME/sources.d/suite.sources"
  # Signatures are checked. Their age is not: on a mirror that was frozen some weeks ago these suites count as
  # expired, and are as good as they were.
  cat > "$APT_HOME/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null"; Dir::Etc::sourceparts "$APT_HOME/sources.d";
Dir::Etc::preferences "/dev/null"; Dir::Etc::preferencesparts "/dev/null";
Dir::State::lists "$APT_HOME/lists"; Dir::State::status "$APT_HOME/status";
Dir::Cache "$APT_HOME"; Dir::Cache::archives "$APT_HOME/archives"; Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";
Acquire::Check-Valid-Until "false"; Acquire::Languages "none"; APT::Sandbox::User "root"; APT::Install-Recommends "false";
Binary::apt-get::APT::Keep-Downloaded-Packages "true";
CONF
  private_apt apt-get update -qq
  touch "$APT_HOME/ready"
}

private_apt() { APT_CONFIG=$APT_HOME/apt.conf "$@"; }

# unpack_packages DIRECTORY PACKAGE... [--without PATTERN...]: paths that match a pattern of tar's are not written.
unpack_packages() {
  local to=$1 package packages=() without=()
  shift
  while [ $# -gt 0 ] && [ "$1" != --without ]; do packages+=("$1"); shift; done
  for package in "${@:2}"; do without+=("--exclude=$package"); done
  mkdir -p "$to"
  ( cd "$APT_HOME/archives" && private_apt apt-get download -qq "${packages[@]}" )
  for package in "${packages[@]}"; do
    dpkg-deb --fsys-tarfile "$(ls -t "$APT_HOME/archives/${package}"_*.deb | head -n 1)" | tar -x -C "$to" "${without[@]}"
  done
}

# unpack_package PACKAGE DIRECTORY: what one package has below /usr.
unpack_package() {
  local work
  work=$(mktemp -d "$DEPS/unpack.XXXXXX")
  if unpack_packages "$work" "$1"; then
    rm -rf "$2"
    mkdir -p "$(dirname "$2")"
    mv "$work/usr" "$2"
    rm -rf "$work"
  else
    rm -rf "$work"
    return 1
  fi
}

# unpack_source SOURCE-PACKAGE DIRECTORY: the upstream tarball alone, without Debian's patches.
unpack_source() {
  local work
  work=$(mktemp -d "$DEPS/unpack.XXXXXX")
  if ( cd "$work" && private_apt apt-get source -qq --download-only "$1" && mkdir tree &&
       tar -xf "$1"_*.orig.tar.* -C tree --strip-components=1 ); then
    rm -rf "$2"
    mkdir -p "$(dirname "$2")"
    mv "$work/tree" "$2"
    rm -rf "$work"
  else
    rm -rf "$work"
    return 1
  fi
}
