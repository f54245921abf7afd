#!/usr/bin/env bash
# An agent is frozen for 30 s and loses nothing; after 120 s its tasks run elsewhere, and no strict task overlaps.
# takes: about 4 min
#
# After 30 s (SIGSTOP) nothing fails and nothing is tried again. After 120 s the agent wakes, stops its void attempts, and
# changes no history. With `fencing: strict` two executions of one task never overlap: each writes a mark every 0.2 s.
. "$(dirname "$0")/../lib.sh"

beats='m start; i=0; while [ $i -lt $n ]; do m beat; sleep 0.2; i=$((i + 1)); done; m end'
start_cluster --replicas 2 --agents 0
start_agent short --pool short --slots 20
short=$pid
start_agent long --pool long --slots 20
long=$pid
submit_tasks 5 "n=200; $beats" ', "pool": "short"' >"$work/short.ids"
submit_tasks 5 "n=200; $beats" ', "pool": "short", "fencing": "strict"' >>"$work/short.ids"
# The first attempt would run for longer than the proof; the second one is short.
tries='n=2000; [ $BELAY_FENCE = 1 ] || n=40'
submit_tasks 5 "$tries; $beats" ', "pool": "long"' >"$work/long.ids"
submit_tasks 5 "$tries; $beats" ', "pool": "long", "fencing": "strict"' >"$work/strict.ids"
wait_for 30 marked start 20 || fail "20 tasks do not start"
wait_for 10 are_in RUNNING 20 || fail "20 tasks are not RUNNING"
start_agent other --pool short --pool long --slots 40

of_ids() { grep -F -f "$1" "$(mark_file)" || true; }
histories() { sql "SELECT task_id, id, from_state, to_state, reason FROM history ORDER BY task_id, id"; }
frozen=$(now)
kill -STOP "$short" "$long"
sleep 30
kill -CONT "$short"
short_done() { [ "$(of_ids "$work/short.ids" | grep -c ' end ')" = 10 ]; }
wait_for 60 short_done || fail "tasks of the agent that was frozen for 30 s do not end"
ten_done() { [ "$(count_tasks SUCCEEDED)" -ge 10 ]; }
wait_for 15 ten_done || fail "only $(count_tasks SUCCEEDED) of 10 tasks succeed after the freeze of 30 s"
[ "$(of_ids "$work/short.ids" | awk '$2 > 1' | wc -l)" = 0 ] || fail "a task was tried again after the freeze of 30 s"

remaining=$(awk -v since="$(since "$frozen")" 'BEGIN { print 119 - since }')
sleep "$remaining"
wait_for 60 are_in SUCCEEDED 20 || fail "$(count_tasks SUCCEEDED) of 20 tasks succeed while their agent is frozen"
histories >"$work/before"
frozen_for=$(since "$frozen")
kill -CONT "$long"
woken=$(now)
quiet() { local last; last=$(of_ids "$work/long.ids" | awk '$2 == 1' | tail -n 1 | cut -d' ' -f4); awk -v last="$last" -v now="$(now)" 'BEGIN { exit !(now - last > 2) }'; }
wait_for 20 quiet || fail "void attempts still run 20 s after their agent woke"
stop_after=$(of_ids "$work/long.ids" | awk -v from="$woken" '$2 == 1 && $4 - from > worst { worst = $4 - from } END { printf "%.1f", worst }')
sleep 10
histories >"$work/after"
cmp -s "$work/before" "$work/after" || { diff "$work/before" "$work/after"; fail "the history changed after the agent woke"; }
[ "$(of_ids "$work/long.ids" | awk '$2 == 1' | grep -c ' end ')" = 0 ] || fail "a void attempt ran to its end"

# Strict: the last mark of each execution comes before the first mark of the next one.
of_ids "$work/strict.ids" | sort -k1,1 -k4,4n |
  awk '$1 == task && $2 < fence { print "overlap: " $0; bad = 1 } { task = $1; fence = $2 } END { exit bad }' ||
  fail "executions of a strict task overlap"
gap=$(of_ids "$work/strict.ids" | sort -k1,1 -k4,4n |
  awk '$1 == task && $2 > fence && (least == "" || $4 - last < least) { least = $4 - last } { task = $1; fence = $2; last = $4 } END { printf "%.1f", least }')
[ "$(of_ids "$work/strict.ids" | awk '$2 > 1 && $3 == "end"' | wc -l)" = 5 ] || fail "some strict tasks did not run again"
[ "$(sql "SELECT count(*) FROM attempt WHERE end_reason = 'agent_lost'")" = 10 ] || fail "the number of attempts that ended agent_lost is not 10"
figure "frozen for 30 s: 10 of 10 tasks end at the first attempt; frozen for $frozen_for s: 10 tasks are tried again, void attempts stop $stop_after s after the agent wakes, no history changes; strict executions are at least $gap s apart"
