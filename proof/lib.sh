# What proofs share: `. "$(dirname "$0")/lib.sh"` first. Bash; no tools beyond the usual ones.
#
#   $root, $work          the checkout; a folder of this proof, gone afterwards
#   belay ARGS            ./belay, with its home in $work: it meets no server but this proof's
#   start NAME CMD...     runs in the background, output to $work/NAME.log, pid in $pid; stopped at the end
#   free_port             a TCP port that nothing listens on
#   wait_for SECONDS CMD  until CMD succeeds; fails after that time
#   field NAME            the first value of a field in the JSON on stdin
#   start_cluster ARGS    `belay cluster up` in $cluster; ended at the end
#   failover FATE ROUNDS  the leader of that cluster meets its fate under load: see Failover.java
#   fail WHY, figure TEXT the two ends of a proof
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/belay-proof.XXXXXX")
export BELAY_HOME=$work/home
started_pids=()
pid=

belay() { "$root/belay" "$@"; }

start() {
  local name=$1
  shift
  # Not through the function: the pid must be that of the command itself.
  [ "$1" != belay ] || set -- "$root/belay" "${@:2}"
  "$@" >"$work/$name.log" 2>&1 </dev/null &
  pid=$!
  started_pids+=("$pid")
}

alive() { kill -0 "$1" 2>/dev/null; }

stop() { # stop PID: asks, then insists
  alive "$1" || return 0
  kill "$1" 2>/dev/null || true
  wait_for 10 gone "$1" || kill -9 "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

gone() { ! alive "$1"; }

cleanup() {
  local code=$? each
  trap - EXIT
  for each in ${started_pids[@]+"${started_pids[@]}"}; do stop "$each"; done
  if [ "$code" = 0 ] || [ -z "${BELAY_PROOF_KEEP-}" ]; then rm -rf "$work"; else echo "kept: $work"; fi
  exit "$code"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

free_port() {
  local port
  for _ in {1..50}; do
    port=$((20000 + RANDOM % 12000))
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
  fail "no free port in 50 tries"
}

wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt "$end" ] || return 1
    sleep 0.1
  done
}

field() { # strings come without their quotes; escapes in them stay
  { tr -d '\n' | grep -oE '"'"$1"'" *: *("([^"\]|\\.)*"|[-0-9.eE+a-z]+)' || true; } |
    sed -n -E '1s/^"[^"]*" *: *"?(.*[^"])"?$/\1/p'
}

fail() {
  echo "FAILED: $*"
  exit 1
}

figure() {
  echo "$*"
  exit 0
}

start_cluster() {
  cluster=$work/cluster
  trap 'end_cluster; cleanup' EXIT
  belay cluster up --dir "$cluster" "$@"
}

end_cluster() {
  local code=$?
  belay cluster down --dir "$cluster" >/dev/null 2>&1 || true
  return "$code"
}

failover() {
  local lib server
  server=$(grep -A2 '"replica-1"' "$cluster/cluster.json" | field pid)
  lib=$(tr '\0' '\n' <"/proc/$server/cmdline" | sed -n '/^-cp$/{n;p;}')
  "$(belay jdk)/bin/java" -XX:+UseSerialGC -Xmx256m -cp "$lib" "$root/proof/Failover.java" "$1" "$2" "$root/belay" "$cluster"
}

# bench SCENARIO ARGS: its JSON to $work/SCENARIO.json; fails when the bench does not believe itself.
bench() {
  belay bench "$@" -o json >"$work/$1.json" 2>"$work/$1.log" || { tail -n 20 "$work/$1.log"; fail "bench $1: $(field reason <"$work/$1.json")"; }
  grep -E 'a second|repeat ' "$work/$1.log" || true
}

of() { # of SCENARIO SYSTEM FIELD: a value of one system's result
  tr -d '\n' <"$work/$1.json" | grep -oE "\{[^{}]*\"system\" *: *\"$2\"[^{}]*\}" | field "$3"
}

at_least() { # at_least VALUE LIMIT WHAT
  awk -v value="$1" -v limit="$2" 'BEGIN { exit !(value >= limit) }' || fail "$3: $1, and should be at least $2"
}

below() { # below VALUE LIMIT WHAT
  awk -v value="$1" -v limit="$2" 'BEGIN { exit !(value < limit) }' || fail "$3: $1, and should be below $2"
}
