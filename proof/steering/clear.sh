#!/usr/bin/env bash
# A cleared middle task of a finished run runs again with what follows it; mark, skip, block and priority work.
# takes: about 1 min
. "$(dirname "$0")/../lib.sh"

belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port" --slots 2
belay wait-ready --timeout 240s
call() { curl -sS -H "Authorization: Bearer $(cat "$BELAY_HOME/token")" "http://127.0.0.1:$port$1" "${@:2}"; }
cat >"$work/etl.yaml" <<YAML
name: etl
tasks:
  - {name: extract, script: "echo extract >> $work/ran"}
  - {name: load, script: "echo load >> $work/ran", depends_on: [extract]}
  - {name: other, script: "echo other >> $work/ran", depends_on: [extract]}
  - {name: report, script: "echo report >> $work/ran", depends_on: [load]}
YAML
belay register "$work/etl.yaml" >/dev/null
run=$(belay trigger etl 2>/dev/null)
run_is() { [ "$(call "/api/v1/runs/$run" | field state)" = "$1" ]; }
wait_for 60 run_is SUCCEEDED || fail "the run does not succeed"
task() { call "/api/v1/tasks?run=$run&name=$1" | field id; }
state() { call "/api/v1/tasks/$1" | field state; }
is() { [ "$(state "$1")" = "$2" ]; }
ran() { grep -c "^$1\$" "$work/ran"; }

# Clear: first dry, then twice.
load=$(task load)
belay clear "$load" --dry-run >"$work/dry" 2>/dev/null
run_is SUCCEEDED || fail "the dry run changed the run"
belay clear "$load" --note "new input" >"$work/did" 2>/dev/null
diff <(tail -n +2 "$work/dry") <(grep -v "waits for its turn" "$work/did") || fail "the dry run said something else"
wait_for 60 run_is SUCCEEDED || fail "the cleared run does not succeed"
[ "$(ran extract) $(ran load) $(ran other) $(ran report)" = "1 2 1 2" ] || fail "not exactly load and report ran again: $(tr '\n' ' ' <"$work/ran")"
belay task "$load" >"$work/load"
for part in "cleared: new input" "generation 1" "generation 2"; do
  grep -q "$part" "$work/load" || fail "belay task does not show \"$part\": $(cat "$work/load")"
done
[ "$(call "/api/v1/tasks/$load/attempts" | grep -o '"number"' | wc -l)" = 2 ] || fail "the old attempt is not visible"

# Mark: a success of the run becomes a failure, and back. A task that runs is ended first.
report=$(task report)
steer() { call "/api/v1/tasks/$1/$2" -X POST -H 'Content-Type: application/json' -d "${3-}"; }
submit() { call /api/v1/tasks -X POST -H 'Content-Type: application/json' -d "{\"script\": \"$1\"}" | field id; }
belay mark "$report" --failed --note "wrong numbers" >/dev/null 2>&1
wait_for 60 run_is FAILED || fail "the marked run does not fail"
steer "$report" mark '{"as": "succeeded"}' >/dev/null
wait_for 60 run_is SUCCEEDED || fail "the run does not succeed again"
steer "$report" mark '{"as": "succeeded"}' | grep -q '"unchanged"' || fail "the second mark is not told"
sleeper=$(submit "echo \$\$ > $work/pid; exec sleep 300")
wait_for 60 is "$sleeper" RUNNING || fail "the task does not run"
wait_for 60 test -s "$work/pid" || fail "the task has not started"
steer "$sleeper" mark '{"as": "succeeded"}' | grep -q '"ending"' || fail "the task that runs is not asked to end"
wait_for 60 is "$sleeper" SUCCEEDED || fail "the task that ran is not marked: $(state "$sleeper")"
gone "$(cat "$work/pid")" || fail "its process still runs"

# Block a task that runs.
busy=$(submit "sleep 300")
wait_for 60 is "$busy" RUNNING || fail "the task does not run"
steer "$busy" block '{"note": "later"}' >/dev/null
wait_for 60 is "$busy" BLOCKED || fail "the task is not BLOCKED: $(state "$busy")"
steer "$busy" skip >/dev/null
is "$busy" SKIPPED || fail "the blocked task is not SKIPPED"

# Priority and skip: with both slots taken, the last one in the queue overtakes, and the skipped one never runs.
full=()
for _ in 1 2; do full+=("$(submit "sleep 300")"); done
for each in "${full[@]}"; do wait_for 60 is "$each" RUNNING || fail "the slots are not taken"; done
first=$(submit "echo first >> $work/order")
last=$(submit "echo last >> $work/order")
skipped=$(submit "echo skipped >> $work/order")
steer "$last" priority '{"priority": 99}' >/dev/null
steer "$skipped" skip '{"note": "not today"}' >/dev/null
is "$skipped" SKIPPED || fail "the task is not SKIPPED"
steer "${full[0]}" cancel >/dev/null
wait_for 60 is "$first" SUCCEEDED || fail "the queue does not move"
[ "$(tr '\n' ' ' <"$work/order")" = "last first " ] || fail "the order is $(tr '\n' ' ' <"$work/order")"
call "/api/v1/tasks/$last/history" | grep -q "priority 50 -> 99" || fail "the history does not show the priority"
figure "load and report ran again as generation 2, as the dry run said; the old attempts are visible; mark, skip, block and priority did what they say"
