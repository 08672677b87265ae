#!/usr/bin/env bash
# The part of scripts/bare that mounts: run by it, in mount and process namespaces that end with it.
#
#   bare_root.sh make ROOT RELEASE     fills the empty folder ROOT with a minimal Debian 12 or 13
#   bare_root.sh run ROOT COMMAND      runs a shell command in it
#
# Of the host it gets the way to its registries (mirror, proxy, certificates, settings of apt and npm), and nothing else.
set -euo pipefail

LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
DEPS=''    # private_apt.sh is here for debian_suites alone
. "$LIB/say.sh"
. "$LIB/private_apt.sh"

BUNDLE=/etc/ssl/certs/ca-certificates.crt
CERTIFICATE_VARIABLES="SSL_CERT_FILE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE GIT_SSL_CAINFO"
PROXY_VARIABLES="http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY"
HOME_INSIDE=/root

copy_in() { [ ! -f "$1" ] || { mkdir -p "$into$(dirname "$2")" && cp -L "$1" "$into$2"; }; }

# The host's suites, those of the wanted release instead of its own: "<mirror> bookworm-security" becomes "<mirror> trixie-security".
apt_sources() {
  debian_suites | while read -r mirror suite; do
    case $suite in *-*) echo "deb $mirror $codename-${suite#*-} main" ;; *) echo "deb $mirror $codename main" ;; esac
  done
}

make_root() {
  local mirror sources variable
  mirror=$(debian_mirror)
  sources=$(apt_sources)
  # shellcheck disable=SC2086
  debootstrap --variant=minbase "$codename" "$into" $mirror
  [ -z "$sources" ] || echo "$sources" > "$into/etc/apt/sources.list"
  rm -rf "$into"/var/lib/apt/lists/*    # debootstrap's own, without the updates
  apt-config dump | grep -E '^Acquire::(https?|Retries|Check-Valid-Until|Check-Date|ForceIPv[46])' \
    > "$into/etc/apt/apt.conf.d/99host" || true
  echo force-unsafe-io > "$into/etc/dpkg/dpkg.cfg.d/throwaway"    # nobody starts from this disk again
  cat "$(npm config get globalconfig 2>/dev/null)" "$HOME/.npmrc" > "$into$HOME_INSIDE/.npmrc" 2>/dev/null || true
  # The package ca-certificates writes its own bundle, and adds what lies in /usr/local.
  copy_in "$BUNDLE" "$BUNDLE"
  copy_in "$BUNDLE" /usr/local/share/ca-certificates/host.crt
  for variable in $CERTIFICATE_VARIABLES; do [ -z "${!variable-}" ] || copy_in "${!variable}" "${!variable}"; done
  # a minimal root does not know its own name
  copy_in /etc/resolv.conf /etc/resolv.conf
  printf '127.0.0.1 localhost\n::1 localhost\n127.0.1.1 %s\n' "$(uname -n)" > "$into/etc/hosts"
}

run_inside() {
  local path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin variable
  local environment=("HOME=$HOME_INSIDE" "PATH=$path" LANG=C.UTF-8 "TERM=${TERM-dumb}")
  for variable in $CERTIFICATE_VARIABLES $PROXY_VARIABLES; do
    [ -z "${!variable-}" ] || environment+=("$variable=${!variable}")
  done
  mount --rbind /dev "$into/dev"
  mount -t proc proc "$into/proc"
  mount -t sysfs sysfs "$into/sys" 2>/dev/null || mount --rbind /sys "$into/sys"
  exec env -i "${environment[@]}" chroot "$into" bash -c "$1"
}

into=$2
case $1 in
  make)
    codename=$([ "$3" = 12 ] && echo bookworm || echo trixie)
    LOG_DIR=$(dirname "$into")
    step "a bare Debian $3" "" make_root
    ;;
  run) run_inside "$3" ;;
esac
