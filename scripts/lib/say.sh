# What the scripts say while they work. Sourced, not run.
# Expects LOG_DIR; `step` keeps the full output of its command there and prints one line. When it fails, the last line says why.

say() { printf '%s\n' "$*"; }
heading() { printf '\n%s== %s ==%s\n' "${BOLD-}" "$*" "${PLAIN-}"; }
# LOG_DIR/cause repeats it, for whoever calls the script that failed.
fail() {
  [ ! -d "${LOG_DIR-}" ] || printf '%s\n' "$*" > "$LOG_DIR/cause"
  printf '%serror:%s %s\n' "${RED-}" "${PLAIN-}" "$*" >&2
  exit 1
}

# In the output of a step: what went before was a first try, and is no cause.
AGAIN='== again, '
again() { say "$AGAIN$*"; }

# cause_in LOG: the line that says why, not only that. The kinds of lines stand in the order of how much they say.
SAYS_WHY=('^E: '                                  # apt
          '^npm verb(ose)? loadVirtual '          # the fault in package-lock.json, of which npm's error says nothing
          '^npm (ERR!|error) [^ ]+( [^ ]+){2}'    # a sentence, not "code EUSAGE"
          'command not found|no path found|No module named|No such file|Permission denied|No space left'
          '[Ee]rror|ERROR|[Ff]atal|[Ff]ailed|[Cc]annot|not found')
cause_in() {
  local kind text
  text=$(awk -v again="$AGAIN" '
    index($0, again) == 1 { text = ""; next }
    /^(W:|npm (WARN|warn))/ && !/Failed to fetch/ { next }      # a warning explains nothing
    NF { sub(/^.*: line [0-9]+: /, ""); text = text $0 "\n" }  # the shell names its own line first
    END { printf "%s", text }' "$1")
  for kind in "${SAYS_WHY[@]}"; do
    grep -m 1 -E "$kind" <<<"$text" && return
  done
  tail -n 1 <<<"${text:-it printed nothing}"
}

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
    fail "$what: failed after $((SECONDS - started)) s: $(cause_in "$log")${remedy:+ ($remedy)}"
  fi
  [ -t 1 ] && printf '\r'
  say "  $what: done in $((SECONDS - started)) s"
}
