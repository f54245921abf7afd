#!/usr/bin/env bash
# An agent is killed and started again in place: what ran there ends worker_restarted within 3 s of its hello and is tried
# again; what was assigned but had not started simply runs, once. To have such tasks for sure the agent is frozen first:
# its connection lives, so work is given to it, and it never hears of it.
. "$(dirname "$0")/lib.sh"

start_cluster --replicas 2 --agents 1 --slots 20
submit_tasks 10 'm start; [ $BELAY_FENCE != 1 ] || sleep 60; m end' >"$work/running.ids"
wait_for 30 marked start 10 || fail "10 tasks do not start"
wait_for 10 are_in RUNNING 10 || fail "10 tasks are not RUNNING"
agent=$(pid_of agent-1)
kill -STOP "$agent"
submit_tasks 10 'm start; m end' >"$work/assigned.ids"
wait_for 10 are_in DISPATCHED 10 || fail "$(count_tasks DISPATCHED) of 10 tasks are assigned to the frozen agent"
kill -9 "$agent"
wait_for 10 none_alive "$agent" || fail "the agent does not die"
belay cluster start --dir "$cluster" --agent 1
wait_for 30 are_in SUCCEEDED 20 || fail "$(count_tasks SUCCEEDED) of 20 succeed"

twice end
of_ids() { grep -F -f "$1" "$(mark_file)" || true; }
[ "$(of_ids "$work/assigned.ids" | grep -c ' start ')" = 10 ] || fail "the assigned ones did not run once each"
[ "$(of_ids "$work/assigned.ids" | awk '$2 != 1' | wc -l)" = 0 ] || fail "an assigned one was tried again"
[ "$(of_ids "$work/running.ids" | awk '$2 == 2 && $3 == "end"' | wc -l)" = 10 ] || fail "not all that ran were tried again"
read -r ended worst < <(sql "SELECT count(*), max(extract(epoch FROM attempt.ended_at - worker.connected_at))
  FROM attempt JOIN worker ON worker.id = attempt.worker_id WHERE end_reason = 'worker_restarted'")
[ "$ended" = 10 ] || fail "$ended attempts ended worker_restarted, not 10"
below "$worst" 3 "seconds from its hello to the last worker_restarted"
others=$(sql "SELECT count(*) FROM attempt WHERE end_reason <> 'worker_restarted' AND coalesce(exit_code, 1) <> 0")
[ "$others" = 0 ] || { sql "SELECT end_reason, count(*) FROM attempt GROUP BY 1"; fail "$others attempts ended otherwise"; }
figure "agent restarted in place: 10 running ones ended worker_restarted at most $worst s after its hello and were tried again, 10 assigned ones ran once"
