# shellcheck shell=bash disable=SC2034
# Every proof sources this file first: `. "$(dirname "$0")/../lib.sh"`. Proofs need bash and the usual tools, no more.
#
#   $checkout                 the checkout of this proof
#   $root                 the checkout whose Belay is tested: $checkout, or $BELAY_PROOF_ROOT
#   $tools                the Java programs that proofs share
#   $work                 a folder for this proof; it is removed at the end
#   belay ARGS            ./belay of $root, with its home in $work, so that it finds no server but this proof's
#   start NAME CMD...     runs CMD in the background, output to $work/NAME.log, pid in $pid; it is stopped at the end
#   free_port             prints a TCP port that no process listens on
#   wait_for SECONDS CMD  repeats CMD until it succeeds; fails after that time
#   field NAME            prints the first value of a field in the JSON on stdin
#   start_cluster ARGS    `belay cluster up` in $cluster; it is stopped at the end
#   failover FATE ROUNDS  kills, freezes or stops the leader of that cluster under load: see tools/Failover.java
#   start_agent NAME ARGS starts another worker for that cluster; pid in $pid
#   start_workers NAME WORKER...  starts workers whose tasks are calls (see tools/Workers.java), all in one process; pid in $pid
#   post_tasks N FIELDS   submits N tasks with these JSON fields, 1,000 in a request
#   kill_leader           kills the leader with -9, waits until another one leads, and starts that replica again
#   pid_of NAME           prints the pid of a member of that cluster; `postgres` means the keeper of its PostgreSQL
#   call PATH ARGS        runs curl on the API of its first replica
#   submit_tasks N SCRIPT FIELDS   submits N tasks that run the script, in which `m WORD` writes a mark; prints their ids
#   marks WORD            prints the marks with that word, one a line: TASK FENCE WORD SECONDS
#   count_tasks STATE     prints how many tasks are in that state
#   sql STATEMENT...      prints rows of its database, with tabs between the columns
#   simulate ARGS         runs `belay simulate`, which must pass; `answer FIELD` then prints a field of its answer
#   watch_health URL      asks that server for its health all the time
#   judge_health WHAT     ends the watch: every answer was 200, and the p99 (in $p99) is below $health_max ms
#   fail WHY, figure TEXT end a proof: it failed, or it passed with this figure
set -euo pipefail
checkout=$(dirname "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)")
root=${BELAY_PROOF_ROOT:-$checkout}
tools=$checkout/proof/tools
work=$(mktemp -d "${TMPDIR:-/tmp}/belay-proof.XXXXXX")
export BELAY_HOME=$work/home
started_pids=()
pid=
cluster=

belay() { "$root/belay" "$@"; }

start() {
  local name=$1
  shift
  # Runs the launcher and not the function, so that the pid is that of the command.
  [ "$1" != belay ] || set -- "$root/belay" "${@:2}"
  "$@" >"$work/$name.log" 2>&1 </dev/null &
  pid=$!
  started_pids+=("$pid")
}

alive() { kill -0 "$1" 2>/dev/null; }

stop() { # stop PID: SIGTERM, and SIGKILL 10 s later
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
  [ -z "$cluster" ] || belay cluster down --dir "$cluster" >/dev/null 2>&1 || true
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

field() { # removes the quotes of a string, but not its escapes
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
  belay cluster up --dir "$cluster" "$@"
  lib=$(tr '\0' '\n' <"/proc/$(pid_of replica-1)/cmdline" | sed -n '/^-cp$/{n;p;}')
  api=$(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | head -n 1 | cut -d'"' -f4)
}

# tool FILE ARGS: runs a program of $tools with the jars of the cluster.
tool() {
  "$(belay jdk)/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -cp "$lib" "$tools/$1" "${@:2}"
}

failover() { tool Failover.java "$1" "$2" "$root/belay" "$cluster"; }

sql() { tool Sql.java "$cluster" "$@"; }

pid_of() {
  if [ "$1" = postgres ]; then set -- keeper; fi
  grep -A2 "\"$1\"" "$cluster/cluster.json" | field pid
}

start_agent() {
  local name=$1 url servers=()
  shift
  for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do servers+=(--server "$url"); done
  # Servers in the arguments replace those of the cluster.
  case " $* " in *' --server '*) servers=() ;; esac
  start "$name" belay agent --name "$name" --dir "$work/$name" --join-token-file "$cluster/join-token" \
    ${servers[@]+"${servers[@]}"} "$@"
  wait_for 60 connected "$name" || fail "$name does not connect"
}

start_workers() {
  local name=$1 each
  shift
  start "$name" "$(belay jdk)/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -cp "$lib" \
    "$tools/Workers.java" "$cluster" "$work/$name" "$@"
  for each in "$@"; do
    wait_for 90 connected "${each%%:*}" || { cat "$work/$name.log"; fail "${each%%:*} does not connect"; }
  done
}

connected() {
  call "/api/v1/workers?limit=500" | tr -d '\n ' | grep -oE "\{[^{}]*(\{[^{}]*\}[^{}]*)*\}" |
    grep "\"name\":\"$1\"" | grep -q '"state":"CONNECTED"'
}

call() {
  curl -s -m 20 -H "Authorization: Bearer $(cat "$cluster/token")" "$api$1" "${@:2}"
}

post_tasks() {
  local left=$1 of
  while [ "$left" -gt 0 ]; do
    of=$((left < 1000 ? left : 1000))
    each="{$2}" count=$of awk 'BEGIN {
      printf "{\"tasks\": ["
      for (i = 1; i <= ENVIRON["count"]; i++) printf "%s%s", (i > 1 ? "," : ""), ENVIRON["each"]
      printf "]}"
    }' >"$work/post.json"
    call /api/v1/tasks -H 'Content-Type: application/json' --data-binary "@$work/post.json" >"$work/posted.json"
    grep -q '"tasks"' "$work/posted.json" || { head -c 2000 "$work/posted.json"; fail "the server did not accept the tasks"; }
    left=$((left - of))
  done
}

kill_leader() {
  local epoch leader
  read -r epoch leader <<<"$(sql 'SELECT epoch, leader FROM leadership')"
  kill -9 "$(pid_of "$leader")"
  wait_for 30 leads_after "$epoch" || fail "nobody leads after $leader"
  belay cluster start-replica --dir "$cluster" --replica "${leader##*-}" >/dev/null
}

leads_after() { [ "$(sql 'SELECT epoch FROM leadership')" -gt "$1" ]; }

ended() { [ "$(sql "SELECT count(*) FROM task WHERE state IN ('SUCCEEDED', 'FAILED', 'CANCELLED')")" -ge "$1" ]; } # ended N: at least N tasks are over

mark_file() { echo "$work/marks"; }

submit_tasks() {
  local count=$1 script fields=${3-} each
  script="m() { echo \\\"\$BELAY_TASK_ID \$BELAY_FENCE \$1 \$(date +%s.%N)\\\" >> $(mark_file); }; $2"
  each="{\"name\": \"marked\", \"command\": [\"/bin/sh\", \"-c\", \"$script\"]$fields}"
  {
    printf '{"tasks": [%s' "$each"
    for ((each_of = 1; each_of < count; each_of++)); do printf ', %s' "$each"; done
    printf ']}'
  } >"$work/submit.json"
  call /api/v1/tasks -H 'Content-Type: application/json' --data-binary "@$work/submit.json" >"$work/submitted.json"
  grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' "$work/submitted.json" || { cat "$work/submitted.json" >&2; fail "the server did not accept the tasks"; }
}

marks() { { grep " $1 " "$(mark_file)" 2>/dev/null || true; }; }

marked() { [ "$(marks "$1" | wc -l)" -ge "$2" ]; } # marked WORD N: there are at least N marks

count_tasks() { call "/api/v1/tasks?state=$1&limit=500" | { grep -oE '"id" *:' || true; } | wc -l; }

are_in() { [ "$(count_tasks "$1")" = "$2" ]; } # are_in STATE N: exactly N tasks are in that state

now() { date +%s.%N; }

since() { awk -v from="$1" -v to="$(now)" 'BEGIN { printf "%.1f", to - from }'; } # since TIME: seconds since that time

# ended_once N: N tasks ran to their end, and none started twice.
ended_once() {
  [ "$(marks end | cut -d' ' -f1 | sort -u | wc -l)" = "$1" ] || fail "$(marks end | cut -d' ' -f1 | sort -u | wc -l) tasks ran to their end, not $1"
  twice start
}

twice() { # twice WORD: fails when a task has that mark twice
  local found
  found=$(marks "$1" | cut -d' ' -f1 | sort | uniq -d)
  [ -z "$found" ] || { grep -F "$found" "$(mark_file)"; fail "these tasks have more than one $1: $found"; }
}

# descendants PID: its children, their children and so on, without itself.
descendants() {
  local each
  for each in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
    echo "$each"
    descendants "$each"
  done
}

any_alive() { # any_alive PIDS...: zombies count as dead
  local each
  for each in "$@"; do
    case $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$each/status" 2>/dev/null) in '' | Z | X) ;; *) return 0 ;; esac
  done
  return 1
}

none_alive() { ! any_alive "$@"; }

# bench SCENARIO ARGS: writes JSON to $work/SCENARIO.json; fails when the bench calls its own result invalid.
bench() {
  belay bench "$@" -o json >"$work/$1.json" 2>"$work/$1.log" || { tail -n 20 "$work/$1.log"; fail "bench $1: $(field reason <"$work/$1.json")"; }
  grep -E 'a second|repeat ' "$work/$1.log" || true
}

# simulate ARGS: writes JSON to $work/answer.json; fails when a seed fails, or when the seeds miss a rule, fault or transition.
simulate() {
  belay simulate "$@" -o json >"$work/answer.json" 2>"$work/simulate.log" || {
    tail -n 20 "$work/simulate.log"
    fail "simulate $*: $(answer message) $(grep -oE '"complaints":\[[^]]*\]' "$work/answer.json"); $(answer replay)"
  }
}

answer() { field "$1" <"$work/answer.json"; } # answer FIELD: a field of the last answer

of() { # of SCENARIO SYSTEM FIELD: a field of one system's result
  tr -d '\n' <"$work/$1.json" | grep -oE "\{[^{}]*\"system\" *: *\"$2\"[^{}]*\}" | field "$3"
}

health_max=${BELAY_PROOF_HEALTH_MS:-200} # on a quiet machine
watch_health() {
  rm -f "$work/health.over"
  # With a higher priority, where that is allowed: it measures the server, and not its own wait for a core.
  nice -n -10 true 2>/dev/null && set -- "$1" nice -n -10
  "${@:2}" "$(belay jdk)/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m "$tools/Probe.java" \
    --until "$work/health.over" "health=$1/monitor/health" >"$work/health.log" 2>&1 &
  prober=$!
  started_pids+=("$prober")
}

judge_health() {
  touch "$work/health.over"
  wait "$prober" || fail "the health probe failed: $(tail -n 3 "$work/health.log")"
  sed "s/^/  $1: /" "$work/health.log"
  grep -q ' failures 0$' "$work/health.log" || fail "$1: a health check failed"
  p99=$(sed -n -E 's/^health: .* p99 ([0-9.]+) .*/\1/p' "$work/health.log")
  below "$p99" "$health_max" "$1: p99 of health in ms"
}

number() { # number VALUE WHAT: a figure that is missing fits no limit
  [[ $1 =~ ^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$ ]] || fail "$2: '$1' is not a number"
}

at_least() { # at_least VALUE LIMIT WHAT
  number "$1" "$3"
  awk -v value="$1" -v limit="$2" 'BEGIN { exit !(value + 0 >= limit + 0) }' || fail "$3: $1, and should be at least $2"
}

below() { # below VALUE LIMIT WHAT
  number "$1" "$3"
  awk -v value="$1" -v limit="$2" 'BEGIN { exit !(value + 0 < limit + 0) }' || fail "$3: $1, and should be below $2"
}
