#!/usr/bin/env bash
# A late success from before a retry stays with its own attempt; the retried run executes the task itself.
# takes: about 3 min
#
# The server gives up a worker that it cannot reach, although the task there ends well. The run fails and is retried. Then
# the worker comes back and reports its success, which belongs to generation 1. The task is strict, so that no worker
# can claim generation 2 before the success arrives.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 1 --agents 1
port=$(free_port)
proxy() { # the agent's way to the server; when the proof kills it, both ends see a closed connection
  start proxy "$(belay jdk)/bin/java" "$tools/Cut.java" "$work/cut" "$port:${api##*:}"
  wait_for 120 grep -q ready "$work/proxy.log" || fail "the proxy does not start"
}
proxy
way=$pid
start_agent far --pool far --server "http://127.0.0.1:$port"
cat >"$work/late.yaml" <<YAML
name: late
tasks:
  - name: a
    pool: far
    fencing: strict
    on_worker_lost: fail
    command: [/bin/sh, -c, "echo start \$BELAY_FENCE >> $work/ran; sleep 6; echo end \$BELAY_FENCE >> $work/ran"]
YAML
touch "$work/ran"
BELAY_HOME=$cluster belay register "$work/late.yaml" >/dev/null
run=$(call /api/v1/workflows/late/runs -X POST | field id)
ran() { grep -q "^$1 $2\$" "$work/ran"; }
wait_for 60 ran start 1 || fail "the task does not start"
wait_for 10 are_in RUNNING 1 || fail "the task is not RUNNING"

kill -9 "$way"
lost() { [ "$(call "/api/v1/runs/$run" | field state)" = FAILED ]; }
wait_for 60 lost || fail "the run does not fail: $(call "/api/v1/runs/$run" | field state)"
ran end 1 || fail "the task did not end while its agent was cut off"
call "/api/v1/runs/$run/retry" -X POST | grep -q retrying || fail "the server does not retry the run"
wait_for 10 are_in SCHEDULED 1 || fail "generation 2 is not SCHEDULED"

proxy
told() { [ "$(sql "SELECT count(*) FROM attempt WHERE generation = 1 AND late_outcome IS NOT NULL")" = 1 ]; }
wait_for 60 told || fail "the late success does not arrive"
story() { sql "SELECT task.generation, task.state, task.reason, (SELECT count(*) FROM attempt WHERE generation = 2) FROM task"; }
story | grep -q late_success && fail "the success of generation 1 ended generation 2, which never ran: $(story | tr '\t' ' ')"
arrived=$(now)
over() { [ "$(call "/api/v1/runs/$run" | field state)" = SUCCEEDED ]; }
wait_for 150 over || fail "generation 2 does not succeed: $(story | tr '\t' ' ')"
waited=$(since "$arrived")
ran end 2 || fail "generation 2 did not run: $(story | tr '\t' ' ')"
[ "$(story | tr '\t' ' ')" = "2 SUCCEEDED exit_code: 0 1" ] || fail "the task should be in generation 2, SUCCEEDED, with one attempt, and is: $(story | tr '\t' ' ')"
kept=$(sql "SELECT end_reason || ', then ' || late_outcome FROM attempt WHERE generation = 1")
figure "the late success of generation 1 stays with its attempt ($kept); generation 2 ran the task itself and succeeded $waited s later"
