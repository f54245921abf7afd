#!/usr/bin/env bash
# An agent frozen (SIGSTOP) for 30 s: nothing fails, everything completes, nothing is tried again. One frozen for 120 s:
# its tasks are tried again elsewhere; when it wakes, it stops the void ones and nothing changes because of it. With
# `fencing: strict` no two executions of one task overlap, ever: each writes a mark every 0.2 s.
. "$(dirname "$0")/lib.sh"

beats='m start; i=0; while [ $i -lt $n ]; do m beat; sleep 0.2; i=$((i + 1)); done; m end'
start_cluster --replicas 2 --agents 0
start_agent short --pool short --slots 20
short=$pid
start_agent long --pool long --slots 20
long=$pid
submit_tasks 5 "n=200; $beats" ', "pool": "short"' >"$work/short.ids"
submit_tasks 5 "n=200; $beats" ', "pool": "short", "fencing": "strict"' >>"$work/short.ids"
# The first try would run for longer than the test; a second one is short.
tries='n=2000; [ $BELAY_FENCE = 1 ] || n=40'
submit_tasks 5 "$tries; $beats" ', "pool": "long"' >"$work/long.ids"
submit_tasks 5 "$tries; $beats" ', "pool": "long", "fencing": "strict"' >"$work/strict.ids"
wait_for 30 marked start 20 || fail "20 tasks do not start"
wait_for 10 are_in RUNNING 20 || fail "20 tasks are not RUNNING"
start_agent other --pool short --pool long --slots 40

of_ids() { grep -F -f "$1" "$(mark_file)" || true; }
histories() { sql "SELECT task_id, id, from_state, to_state, reason FROM history ORDER BY id"; }
frozen=$(now)
kill -STOP "$short" "$long"
sleep 30
kill -CONT "$short"
short_done() { [ "$(of_ids "$work/short.ids" | grep -c ' end ')" = 10 ]; }
wait_for 60 short_done || fail "tasks of the agent that was frozen for 30 s do not end"
ten_done() { [ "$(count_tasks SUCCEEDED)" -ge 10 ]; }
wait_for 15 ten_done || fail "only $(count_tasks SUCCEEDED) of 10 succeed after 30 s of frost"
[ "$(of_ids "$work/short.ids" | awk '$2 > 1' | wc -l)" = 0 ] || fail "a task was tried again after 30 s of frost"

remaining=$(awk -v since="$(since "$frozen")" 'BEGIN { print 119 - since }')
sleep "$remaining"
wait_for 60 are_in SUCCEEDED 20 || fail "$(count_tasks SUCCEEDED) of 20 succeed while their agent is frozen"
histories >"$work/before"
frost=$(since "$frozen")
kill -CONT "$long"
woken=$(now)
quiet() { local last; last=$(of_ids "$work/long.ids" | awk '$2 == 1' | tail -n 1 | cut -d' ' -f4); awk -v last="$last" -v now="$(now)" 'BEGIN { exit !(now - last > 2) }'; }
wait_for 20 quiet || fail "void executions still run 20 s after their agent woke"
stop_after=$(of_ids "$work/long.ids" | awk -v from="$woken" '$2 == 1 && $4 - from > worst { worst = $4 - from } END { printf "%.1f", worst }')
sleep 10
histories >"$work/after"
cmp -s "$work/before" "$work/after" || { diff "$work/before" "$work/after"; fail "something changed because it woke"; }
[ "$(of_ids "$work/long.ids" | awk '$2 == 1' | grep -c ' end ')" = 0 ] || fail "a void execution ran to its end"

# Strict: the last sign of each execution comes before the first of the next.
of_ids "$work/strict.ids" | sort -k1,1 -k4,4n |
  awk '$1 == task && $2 < fence { print "overlap: " $0; bad = 1 } { task = $1; fence = $2 } END { exit bad }' ||
  fail "executions of a strict task overlap"
gap=$(of_ids "$work/strict.ids" | sort -k1,1 -k4,4n |
  awk '$1 == task && $2 > fence && (least == "" || $4 - last < least) { least = $4 - last } { task = $1; fence = $2; last = $4 } END { printf "%.1f", least }')
[ "$(of_ids "$work/strict.ids" | awk '$2 > 1 && $3 == "end"' | wc -l)" = 5 ] || fail "not all strict tasks ran again"
[ "$(sql "SELECT count(*) FROM attempt WHERE end_reason = 'agent_lost'")" = 10 ] || fail "not 10 attempts ended agent_lost"
figure "frozen 30 s: 10 of 10 done at the first try; frozen $frost s: 10 tried again, void ones silent $stop_after s after it woke, no history changed; strict executions at least $gap s apart"
