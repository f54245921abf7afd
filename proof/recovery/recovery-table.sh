#!/usr/bin/env bash
# `belay recovery` shows promised against measured times of three kinds of loss; none is late.
# takes: about 3 min
#
# At the same time one agent is killed, one is restarted in place, and one is frozen for 100 s.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 1 --slots 5
start_agent killed --pool killed --slots 5
killed=$pid
start_agent frozen --pool frozen --slots 5
frozen=$pid
long='m start; [ $BELAY_FENCE != 1 ] || sleep 300; m end'
submit_tasks 5 "$long" >/dev/null
submit_tasks 5 "$long" ', "pool": "killed"' >/dev/null
submit_tasks 5 "$long" ', "pool": "frozen"' >/dev/null
wait_for 30 marked start 15 || fail "15 tasks do not start"
wait_for 10 are_in RUNNING 15 || fail "15 tasks are not RUNNING"
start_agent other --pool killed --pool frozen --slots 10

kill -STOP "$frozen"
kill -9 "$killed"
restarted=$(pid_of agent-1)
kill -9 "$restarted"
wait_for 10 none_alive "$restarted" || fail "the agent is still alive"
belay cluster start --dir "$cluster" --agent 1
sleep 100
kill -CONT "$frozen"
wait_for 30 are_in SUCCEEDED 15 || fail "$(count_tasks SUCCEEDED) of 15 tasks succeed"
twice end

BELAY_HOME=$cluster belay recovery
BELAY_HOME=$cluster belay recovery -o json >"$work/recovery.json"
late=$(tr -d '\n' <"$work/recovery.json" | grep -oE '"late" *: *[0-9]+' | grep -cvE ': *0$' || true)
[ "$late" = 0 ] || fail "$late kinds of recovery were late"
kind() { tr -d '\n ' <"$work/recovery.json" | grep -oE "\{\"kind\":\"$1\"[^{}]*(\{[^{}]*\}[^{}]*)*\}"; }
line=
for expected in agent_closed agent_silent worker_restarted; do
  [ "$(kind "$expected" | field count)" = 5 ] || { cat "$work/recovery.json"; fail "the number of $expected is not 5"; }
  line="$line; $expected $(kind "$expected" | field worst_ms) ms of $(kind "$expected" | field promised_ms) ms"
done
figure "worst time of each kind${line}; none late"
