#!/usr/bin/env bash
# The terminal shows the truth: failing, paused, waiting and lost tasks, a dead server, and clear errors.
# takes: about 5 min
#
# Real processes run in real pseudo-terminals with the default thresholds: a failing run at 60 and 100 columns, a paused run,
# a waiting task, a lost worker, a server that is killed while `belay run` watches, and seven mistakes.
. "$(dirname "$0")/../lib.sh"

belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port"
lite=$pid
belay wait-ready --timeout 300s
data=$(dirname "$(find "$BELAY_HOME" -name endpoint.json | head -n 1)")
faults=()
fault() { # fault WHY: keeps the fault, so that one run of the proof shows all of them
  echo "FAULT: $*"
  faults+=("$*")
}

cat >"$work/etl.yaml" <<'Y'
name: etl
tasks:
  - {name: fetch-the-orders-of-yesterday, command: [/bin/sleep, "1"]}
  - {name: check, script: "echo comparing; exit 1", depends_on: [fetch-the-orders-of-yesterday]}
  - {name: load-into-the-warehouse-of-the-whole-company, command: [/bin/true], depends_on: [check]}
  - {name: report-to-everybody, command: [/bin/true], depends_on: [load-into-the-warehouse-of-the-whole-company, fetch-the-orders-of-yesterday]}
Y
cat >"$work/long.yaml" <<'Y'
name: long
tasks:
  - {name: wait, command: [/bin/sleep, "300"]}
  - {name: after, command: [/bin/true], depends_on: [wait]}
Y

see() { # see NAME COLUMNS COMMAND: runs it in the background in a terminal of that width; its bytes go to $work/NAME.tty
  start "$1" script -qefc "stty rows 24 cols $2; exec $root/belay $3" "$work/$1.tty"
}
frames() { "$(belay jdk)/bin/java" -XX:TieredStopAtLevel=1 "$tools/Frames.java" "$work/$1.tty" "${@:2}"; }
seen() { grep -qF "$2" "$work/$1.tty" 2>/dev/null; }
sound() { # sound NAME COLUMNS HEADING
  local facts
  facts=$(frames "$1" "$2" 24 "$3" | head -n 1)
  echo "$1: $facts"
  case $facts in *' wraps=0 piled=0') ;; *) fault "$1: the tree wraps or piles up at $2 columns: $facts" ;; esac
}

for columns in 60 100; do
  see "tree-$columns" "$columns" "run $work/etl.yaml"
  wait_for 120 gone "$pid" || fail "the run at $columns columns does not end"
  sound "tree-$columns" "$columns" 'etl  '
  frames "tree-$columns" "$columns" 24 'etl  ' | tail -n +2
done
seen tree-100 ': check: exit_code' || fault "the run's reason does not name check, which failed first"
seen tree-100 'belay logs ' || fault "the output does not show the command that shows the log of the failed task"

belay pause etl >/dev/null
see paused 100 "run $work/etl.yaml"
wait_for 120 seen paused "0 of 4" || true
sleep 3
kill "$pid" 2>/dev/null || true
wait_for 20 gone "$pid" || kill -9 "$pid"
frames paused 100 24 'etl  ' 'etl  ' | tail -n +2
seen paused PAUSED || fault "the output does not show a paused run as PAUSED"
seen paused 'belay resume etl' || fault "the output does not say how to resume a paused run"
belay resume etl >/dev/null

start waits belay submit --wait --pool gpu -- /bin/true
waits=$pid
wait_for 120 test -s "$work/waits.log" || fail "the server does not accept the task"
from=$(now)
said=
if wait_for 90 grep -q 'no worker of pool gpu' "$work/waits.log"; then said=$(since "$from"); fi
cat "$work/waits.log"
[ -n "$said" ] || fault "submit --wait does not say that no worker of the pool is connected"
task=$(head -n 1 "$work/waits.log")
belay task "$task" | grep waits: || fault "belay task does not say why the task waits"
belay cancel "$task" >/dev/null
wait_for 20 gone "$waits" || true

start far belay agent --name far-away --dir "$work/far" --pool other --slots 2 \
  --join-token-file "$data/join-token" --server "http://127.0.0.1:$port"
far=$pid
wait_for 120 grep -qE 'takes tasks|joins for tasks' "$work/far.log" || fail "the agent does not start"
task=$(belay submit --pool other --on-worker-lost fail -- /bin/sleep 300)
running() { belay task "$task" -o json | grep -q '"state" : "RUNNING"'; }
wait_for 90 running || fail "the task does not start on the other worker"
sleep 3
kill -9 "$far"
failed() { belay task "$task" -o json | grep -q '"state" : "FAILED"'; }
wait_for 120 failed || fail "the task of the killed worker does not fail"
belay task "$task" | tee "$work/lost.txt"
grep -qE 'last heard of at .* after it started' "$work/lost.txt" || fault "the lost attempt does not say when the worker was last heard of"
alert() { belay alerts | tee "$work/alerts.txt" | grep -q 'far-away'; }
wait_for 90 alert || fault "no alert names the lost worker"
cat "$work/alerts.txt"

say() { # say WHAT COMMAND...: the command must fail with one sentence that matches WHAT
  local what=$1 lines
  shift
  timeout 240 "$root/belay" "$@" >"$work/out.txt" 2>"$work/said.txt" </dev/null || true
  lines=$(wc -l <"$work/said.txt")
  sed 's/^/  /' "$work/said.txt" | head -n 5
  grep -qiE "$what" "$work/said.txt" || fault "belay $1: the message does not say \"$what\""
  [ "$lines" -le 2 ] || fault "belay $1: $lines lines for one mistake"
}
say 'host.*not known' tasks --server http://no-such-host.invalid:8080
say 'refused' tasks --server "http://127.0.0.1:$(free_port)"
say 'did you mean --state' tasks --sate FAILED
say 'did you mean tasks' taks
echo wrong-token >"$work/wrong"
chmod 600 "$work/wrong"
say 'join token' agent --server "http://127.0.0.1:$port" --join-token-file "$work/wrong" --dir "$work/wrong-agent" --log-file "$work/wrong-agent.log"
database=$(grep -oE 'port="?[0-9]+' "$data/belay.log" | grep -oE '[0-9]+' | head -n 1)
say 'password' server --database-url "jdbc:postgresql://127.0.0.1:$database/postgres" --user postgres \
  --password-file "$work/wrong" --dir "$work/server" --port "$(free_port)"
printf 'name: w\nschedule: daily\ntasks:\n  - {name: a, bash: ls, retries: 3, timeout: 5m}\n' >"$work/other.yaml"
belay validate "$work/other.yaml" >"$work/said.txt" 2>&1 || true
cat "$work/said.txt"
for word in triggers 'retry: {max: 3}' 'execution_timeout: 10m' 'script: |'; do
  grep -qF "$word" "$work/said.txt" || fault "a key of another tool: the message does not suggest $word"
done

see killed 60 "run $work/long.yaml"
watcher=$pid
wait_for 90 seen killed RUNNING || fail "the long run does not start"
sleep 2
kill -9 "$lite"
from=$(now)
told=
if wait_for 90 seen killed 'NO ANSWER'; then told=$(since "$from"); fi
sleep 3
kill "$watcher" 2>/dev/null || true
wait_for 20 gone "$watcher" || kill -9 "$watcher"
sound killed 60 'long  '
frames killed 60 24 'long  ' 'long  ' | tail -n +2
[ -n "$told" ] || fault "the server is dead, and the output still shows the run as RUNNING"

[ ${#faults[@]} = 0 ] || fail "the terminal misleads people in ${#faults[@]} ways; the first: ${faults[0]}"
figure "trees at 60 and 100 columns never wrap; the terminal shows a paused run, a waiting task (after $said s), a lost worker, a dead server (after $told s) and 7 errors as they are"
