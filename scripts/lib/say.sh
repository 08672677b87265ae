# What the scripts say while they work. Sourced, not run.
# Expects LOG_DIR; `step` keeps the full output of its command there and prints one line.

say() { printf '%s\n' "$*"; }
heading() { printf '\n%s== %s ==%s\n' "${BOLD-}" "$*" "${PLAIN-}"; }
fail() { printf '%serror:%s %s\n' "${RED-}" "${PLAIN-}" "$*" >&2; exit 1; }

if [ -t 1 ]; then BOLD=$'\033[1m' RED=$'\033[31m' PLAIN=$'\033[0m'; else BOLD='' RED='' PLAIN=''; fi

# step "what is being done" "what to do when it fails" command [argument...]
# Runs the command with `set -e`; shows the seconds it has taken so far on a terminal, and at the end everywhere.
step() {
  local what=$1 remedy=$2 started=$SECONDS log pid status=0
  shift 2
  mkdir -p "$LOG_DIR"
  log=$LOG_DIR/$(printf '%s' "$what" | tr -cs 'A-Za-z0-9.' '-').log
  [ -t 1 ] || say "  $what ..."
  ( set -e; "$@" ) >"$log" 2>&1 </dev/null &
  pid=$!
  if [ -t 1 ]; then
    while kill -0 "$pid" 2>/dev/null; do
      printf '\r  %s ... %d s ' "$what" $((SECONDS - started))
      sleep 0.5
    done
  fi
  wait "$pid" || status=$?
  if [ "$status" -ne 0 ]; then
    [ -t 1 ] && printf '\n'
    printf '%s\n' "--- the last lines of $log:" >&2
    tail -n 25 "$log" >&2
    fail "$what: failed after $((SECONDS - started)) s. $remedy"
  fi
  [ -t 1 ] && printf '\r'
  say "  $what: done in $((SECONDS - started)) s"
}
