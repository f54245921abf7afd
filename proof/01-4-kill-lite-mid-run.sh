#!/usr/bin/env bash
# A 200-task run in lite, kill -9 of the JVM in the middle: 5 s later nothing of it is left; the next lite goes on
# by itself. Ground truth: each task appends to a file when it starts and when it ends.
. "$(dirname "$0")/lib.sh"

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
belay wait-ready --timeout 90s
belay register "$work/two-hundred.yaml" >/dev/null
run=$(belay trigger two-hundred -o json | field id)
[ -n "$run" ] || fail "no run"
some_ended() { [ "$(cat "$truth"/* 2>/dev/null | grep -c ended)" -ge 60 ]; }
wait_for 60 some_ended || fail "the run does not move"

# Who belongs to it: PostgreSQL works in its data folder; processes of tasks carry their run.
ours() {
  { find /proc -maxdepth 2 -name cwd -lname "$work/home*" 2>/dev/null || true; } | cut -d/ -f3
  { grep -lzs "^BELAY_RUN_ID=$run" /proc/[0-9]*/environ || true; } | cut -d/ -f3
}
tasks_running() { { grep -lzs "^BELAY_RUN_ID=$run" /proc/[0-9]*/environ || true; } | wc -l; }
[ "$(tasks_running)" -gt 0 ] || fail "no process of a task to be seen: the check below would prove nothing"
[ "$(ours | wc -l)" -gt "$(tasks_running)" ] || fail "no postgres to be seen: the check below would prove nothing"
belay tasks --run "$run" --state SUCCEEDED --limit 500 -o json >"$work/before.json"
succeeded=$(tr -d '\n ' <"$work/before.json" | grep -oE '"name":"t[0-9]+"' | cut -d'"' -f4)
[ "$(echo "$succeeded" | wc -l)" -ge 30 ] || fail "too few had succeeded before the kill"
kill -9 "$jvm"
sleep 5
left=$(ours)
[ -z "$left" ] || { ps -o pid,args -p $left; fail "left 5 s after kill -9: $left"; }

start again belay lite --port "$port" --slots 16
belay wait-ready --timeout 90s
belay show "$run" >/dev/null
over() { belay runs -o json 2>/dev/null | tr -d '\n' | grep -qE '"state" *: *"(SUCCEEDED|FAILED|CANCELLED)"'; }
wait_for 120 over || fail "the run did not end by itself"
state=$(belay show "$run" -o json | field state)
[ "$state" = SUCCEEDED ] || fail "the run ended $state"

for name in $succeeded; do
  [ "$(grep -c started "$truth/$name")" = 1 ] || fail "$name had reported success and ran again"
done
twice=0
for i in $(seq 1 200); do
  ended=$(grep -c ended "$truth/t$i" || true)
  [ "$ended" -ge 1 ] || fail "t$i never ended in truth"
done
belay tasks --run "$run" --limit 500 -o json >"$work/tasks.json"
restarted=0
ids=$(tr -d '\n' <"$work/tasks.json" | grep -oE '"id" *: *"[0-9a-f-]{36}"' | grep -oE '[0-9a-f-]{36}')
[ "$(echo "$ids" | wc -l)" = 200 ] || fail "not 200 tasks but $(echo "$ids" | wc -l)"
token=$(find "$BELAY_HOME" -name token -type f -exec cat {} \; | head -n 1)
for id in $ids; do
  curl -sf -H "Authorization: Bearer $token" "http://127.0.0.1:$port/api/v1/tasks/$id/history" >"$work/history.json" || fail "no history of $id"
  # Legal: each row's from is the former row's to, it begins with a creation and ends with one success.
  tr -d '\n ' <"$work/history.json" | grep -oE '"from":("[A-Z_]+"|null),"to":"[A-Z_]+"' |
    awk -F'"' '{from = ($3 == ":null,") ? "null" : $4; to = $(NF - 1);
                if (NR == 1 ? from != "null" : from != last) exit 1; last = to; if (to == "SUCCEEDED") wins++}
               END {if (last != "SUCCEEDED" || wins != 1) exit 1}' || { cat "$work/history.json"; fail "history of $id is not legal"; }
  # A task whose success was reported before the kill has one attempt and ran once.
  attempts=$(tr -d '\n ' <"$work/history.json" | grep -oE '"to":"DISPATCHED"' | wc -l)
  [ "$attempts" = 1 ] || restarted=$((restarted + 1))
  if [ "$attempts" = 1 ]; then
    name=$(curl -sf -H "Authorization: Bearer $token" "http://127.0.0.1:$port/api/v1/tasks/$id" | field name)
    [ "$(grep -c started "$truth/$name")" = 1 ] || twice=$((twice + 1))
  fi
done
[ "$restarted" -gt 0 ] || fail "nothing was running when it was killed: that proves nothing"
[ "$twice" = 0 ] || fail "$twice tasks ran twice without a second attempt"
figure "killed with $(echo "$succeeded" | wc -l) of 200 SUCCEEDED: nothing left after 5 s; the run ended SUCCEEDED by itself, $restarted tasks were tried again, none that had succeeded ran twice"
