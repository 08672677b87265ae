# Takes single packages from another Debian suite without touching the machine's own package system: a private
# list, cache and status file under .deps/apt, on the mirror that the machine already uses. Sourced by scripts/setup.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# The machine's Debian mirror, taken from its own configuration.
debian_mirror() {
  apt-get indextargets --format '$(CREATED_BY)|$(ORIGIN)|$(LABEL)|$(SITE)|$(REPO_URI)' 2>/dev/null |
    awk -F'|' '$1 == "Packages" && $2 == "Debian" && $3 == "Debian" { print $5; exit }'
}

# use_suite SUITE: afterwards `private_apt` talks to that suite only, and believes that nothing is installed.
use_suite() {
  local mirror
  SUITE=$1 APT_HOME=$DEPS/apt/$1
  [ ! -e "$APT_HOME/ready" ] || return 0
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || { echo "no Debian mirror in this machine's apt configuration" >&2; return 1; }
  rm -rf "$APT_HOME"
  mkdir -p "$APT_HOME"/{sources.d,lists/partial,archives/partial}
  : > "$APT_HOME/status"
  printf 'Types: deb deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
    "$mirror" "$SUITE" "$KEYRING" > "$APT_HOME/sources.d/suite.sources"
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

# unpack_packages DIRECTORY PACKAGE...
unpack_packages() {
  local to=$1 package
  shift
  mkdir -p "$to"
  ( cd "$APT_HOME/archives" && private_apt apt-get download -qq "$@" )
  for package; do dpkg-deb -x "$(ls -t "$APT_HOME/archives/${package}"_*.deb | head -n 1)" "$to"; done
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
