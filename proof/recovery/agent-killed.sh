#!/usr/bin/env bash
# An agent with 20 running tasks is killed with -9; all 20 run on another agent within 20 s.
# takes: about 2 min
#
# Its processes are gone within 3 s. The lost attempts end with the reason agent_lost. No task succeeds twice.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 1 --slots 20
# All tasks start on the only agent; then another agent joins.
submit_tasks 20 'm start; sleep 25; m end' >/dev/null
wait_for 30 marked start 20 || fail "20 tasks do not start"
wait_for 10 are_in RUNNING 20 || fail "20 tasks are not RUNNING"
start_agent other --slots 20
agent=$(pid_of agent-1)
theirs=$(descendants "$agent")
[ "$(echo "$theirs" | wc -l)" -ge 20 ] || fail "fewer than 20 processes are visible, so the check below would prove nothing"

killed=$(now)
kill -9 "$agent"
wait_for 5 none_alive $theirs || fail "still there 5 s after kill -9: $(ps -o pid,args -p $theirs | tail -n +2)"
processes=$(since "$killed")
below "$processes" 3 "seconds until the agent's processes were gone"
again() { [ "$(marks start | awk '$2 > 1' | cut -d' ' -f1 | sort -u | wc -l)" = 20 ]; }
wait_for 30 again || fail "only $(marks start | awk '$2 > 1' | wc -l) of 20 tasks run again"
last=$(marks start | awk -v from="$killed" '$2 > 1 && $4 - from > worst { worst = $4 - from } END { printf "%.1f", worst }')
below "$last" 20 "seconds until all tasks ran again"

wait_for 60 are_in SUCCEEDED 20 || fail "$(count_tasks SUCCEEDED) of 20 tasks succeed"
twice end
lost=$(sql "SELECT count(DISTINCT task_id) FROM history WHERE reason LIKE 'agent_lost%'")
[ "$lost" = 20 ] || fail "$lost of 20 tasks have agent_lost in their history"
ended=$(sql "SELECT count(*) FROM attempt WHERE end_reason = 'agent_lost'")
[ "$ended" = 20 ] || fail "$ended of 20 attempts ended agent_lost"
wins=$(sql "SELECT count(*) FROM history WHERE to_state = 'SUCCEEDED'")
[ "$wins" = 20 ] || fail "$wins successes of 20 tasks"
figure "agent killed with 20 tasks: its processes were gone after $processes s, all 20 tasks ran again after $last s, and each succeeded once"
