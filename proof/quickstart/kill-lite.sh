#!/usr/bin/env bash
# lite is killed with -9 in the middle of a run of 200 tasks; the next lite finishes the run.
# takes: about 2 min
#
# 5 s after the kill, no process of lite, its PostgreSQL or its tasks is left. No task that had succeeded runs again.
# Each task appends to a file when it starts and when it ends, so the proof does not rely on Belay's own records.
. "$(dirname "$0")/../lib.sh"

truth=$work/truth
mkdir -p "$truth"
{
  echo "name: two-hundred"
  echo "tasks:"
  for i in $(seq 1 200); do
    echo "  - name: t$i"
    echo "    command: [/bin/sh, -c, 'echo started >> $truth/t$i; sleep 1; echo ended >> $truth/t$i']"
    [ $((i % 4)) -ne 0 ] || echo "    depends_on: [t$((i - 1)), t$((i - 2))]"
  done
} >"$work/two-hundred.yaml"

belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port" --slots 16
jvm=$pid
belay wait-ready --timeout 240s
belay register "$work/two-hundred.yaml" >/dev/null
run=$(belay trigger two-hundred -o json | field id)
[ -n "$run" ] || fail "trigger gave no run"
some_ended() { [ "$(cat "$truth"/* 2>/dev/null | grep -c ended)" -ge 60 ]; }
wait_for 60 some_ended || fail "the run makes no progress"

# The processes of this lite: PostgreSQL works in its data folder; a task's processes have the run's id in their environment.
ours() {
  { find /proc -maxdepth 2 -name cwd -lname "$work/home*" 2>/dev/null || true; } | cut -d/ -f3
  { grep -lzs "^BELAY_RUN_ID=$run" /proc/[0-9]*/environ || true; } | cut -d/ -f3
}
tasks_running() { { grep -lzs "^BELAY_RUN_ID=$run" /proc/[0-9]*/environ || true; } | wc -l; }
[ "$(tasks_running)" -gt 0 ] || fail "no process of a task is visible, so the check below would prove nothing"
[ "$(ours | wc -l)" -gt "$(tasks_running)" ] || fail "no postgres process is visible, so the check below would prove nothing"
belay tasks --run "$run" --state SUCCEEDED --limit 500 -o json >"$work/before.json"
succeeded=$(tr -d '\n ' <"$work/before.json" | grep -oE '"name":"t[0-9]+"' | cut -d'"' -f4)
[ "$(echo "$succeeded" | wc -l)" -ge 30 ] || fail "too few tasks had succeeded before the kill"
kill -9 "$jvm"
sleep 5
left=$(ours)
[ -z "$left" ] || { ps -o pid,args -p $left; fail "still there 5 s after kill -9: $left"; }

start again belay lite --port "$port" --slots 16
belay wait-ready --timeout 240s
belay show "$run" >/dev/null
over() { belay runs -o json 2>/dev/null | tr -d '\n' | grep -qE '"state" *: *"(SUCCEEDED|FAILED|CANCELLED)"'; }
wait_for 120 over || fail "the run did not end by itself"
state=$(belay show "$run" -o json | field state)
[ "$state" = SUCCEEDED ] || fail "the run ended $state"

for name in $succeeded; do
  [ "$(grep -c started "$truth/$name")" = 1 ] || fail "$name had succeeded and ran again"
done
twice=0
for i in $(seq 1 200); do
  ended=$(grep -c ended "$truth/t$i" || true)
  [ "$ended" -ge 1 ] || fail "t$i never ran to its end"
done
belay tasks --run "$run" --limit 500 -o json >"$work/tasks.json"
restarted=0
ids=$(tr -d '\n' <"$work/tasks.json" | grep -oE '"id" *: *"[0-9a-f-]{36}"' | grep -oE '[0-9a-f-]{36}')
[ "$(echo "$ids" | wc -l)" = 200 ] || fail "$(echo "$ids" | wc -l) tasks, not 200"
token=$(find "$BELAY_HOME" -name token -type f -exec cat {} \; | head -n 1)
for id in $ids; do
  curl -sf -H "Authorization: Bearer $token" "http://127.0.0.1:$port/api/v1/tasks/$id/history" >"$work/history.json" || fail "no history of $id"
  # A legal history starts with a creation and ends with the only success; each row starts in the state in which the row before ended.
  tr -d '\n ' <"$work/history.json" | grep -oE '"from":("[A-Z_]+"|null),"to":"[A-Z_]+"' |
    awk -F'"' '{from = ($3 == ":null,") ? "null" : $4; to = $(NF - 1);
                if (NR == 1 ? from != "null" : from != last) exit 1; last = to; if (to == "SUCCEEDED") wins++}
               END {if (last != "SUCCEEDED" || wins != 1) exit 1}' || { cat "$work/history.json"; fail "the history of $id is not legal"; }
  # A task with one attempt ran once.
  attempts=$(tr -d '\n ' <"$work/history.json" | grep -oE '"to":"DISPATCHED"' | wc -l)
  [ "$attempts" = 1 ] || restarted=$((restarted + 1))
  if [ "$attempts" = 1 ]; then
    name=$(curl -sf -H "Authorization: Bearer $token" "http://127.0.0.1:$port/api/v1/tasks/$id" | field name)
    [ "$(grep -c started "$truth/$name")" = 1 ] || twice=$((twice + 1))
  fi
done
[ "$restarted" -gt 0 ] || fail "no task was running at the kill, so this proves nothing"
[ "$twice" = 0 ] || fail "$twice tasks ran twice without a second attempt"
figure "killed with $(echo "$succeeded" | wc -l) of 200 SUCCEEDED: no process left after 5 s; the run then ended SUCCEEDED by itself; $restarted tasks were tried again, and no succeeded task ran twice"
