#!/usr/bin/env bash
# An agent is killed and restarted in place; its running tasks end worker_restarted within 3 s of its hello.
# takes: about 1 min
#
# These tasks are tried again. Tasks that were assigned but had not started run once. To have such tasks for sure, the proof
# freezes the agent first: its connection lives, so the server assigns work to it, and the agent never hears of it.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 1 --slots 20
submit_tasks 10 'm start; [ $BELAY_FENCE != 1 ] || sleep 60; m end' >"$work/running.ids"
wait_for 30 marked start 10 || fail "10 tasks do not start"
wait_for 10 are_in RUNNING 10 || fail "10 tasks are not RUNNING"
agent=$(pid_of agent-1)
kill -STOP "$agent"
submit_tasks 10 'm start; m end' >"$work/assigned.ids"
wait_for 10 are_in DISPATCHED 10 || fail "$(count_tasks DISPATCHED) of 10 tasks are assigned to the frozen agent"
kill -9 "$agent"
wait_for 10 none_alive "$agent" || fail "the agent is still alive"
belay cluster start --dir "$cluster" --agent 1
wait_for 30 are_in SUCCEEDED 20 || fail "$(count_tasks SUCCEEDED) of 20 tasks succeed"

twice end
of_ids() { grep -F -f "$1" "$(mark_file)" || true; }
[ "$(of_ids "$work/assigned.ids" | grep -c ' start ')" = 10 ] || fail "the assigned tasks did not run once each"
[ "$(of_ids "$work/assigned.ids" | awk '$2 != 1' | wc -l)" = 0 ] || fail "an assigned task was tried again"
[ "$(of_ids "$work/running.ids" | awk '$2 == 2 && $3 == "end"' | wc -l)" = 10 ] || fail "some running tasks were not tried again"
read -r ended worst < <(sql "SELECT count(*), max(extract(epoch FROM attempt.ended_at - worker.connected_at))
  FROM attempt JOIN worker ON worker.id = attempt.worker_id WHERE end_reason = 'worker_restarted'")
[ "$ended" = 10 ] || fail "$ended attempts ended worker_restarted, not 10"
below "$worst" 3 "seconds from the agent's hello to the last worker_restarted"
others=$(sql "SELECT count(*) FROM attempt WHERE end_reason <> 'worker_restarted' AND coalesce(exit_code, 1) <> 0")
[ "$others" = 0 ] || { sql "SELECT end_reason, count(*) FROM attempt GROUP BY 1"; fail "$others attempts ended for another reason"; }
figure "agent restarted in place: 10 running tasks ended worker_restarted at most $worst s after its hello and were tried again; 10 assigned tasks ran once"
