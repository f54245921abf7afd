#!/usr/bin/env bash
# A worker that fails everything in 10 ms, among 9 good ones, is set aside after at most 20 failures.
# takes: about 2 min
#
# The tasks may be retried. `belay workers trust` then gives the worker tasks again, as good as it is by then.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 1 --agents 0

disconnected() { [ "$(sql "SELECT count(*) FROM worker WHERE state = 'CONNECTED'")" = 0 ]; }

workers=(hole:default:4:broken)
for number in {1..9}; do workers+=("good-$number:default:4"); done
start_workers workers "${workers[@]}"
hole=$(sql "SELECT id FROM worker WHERE name = 'hole'")

task='"name": "one", "command": ["sleep", "0.2"], "retry": {"max": 5, "backoff": {"initial": "100ms"}}'
post_tasks 2000 "$task"
wait_for 120 ended 2000 || fail "not all tasks ended"
[ "$(sql "SELECT count(*) FROM task WHERE state = 'SUCCEEDED'")" = 2000 ] || fail "$(sql "SELECT state, reason, count(*) FROM task GROUP BY 1, 2")"
failures=$(sql "SELECT count(*) FROM attempt WHERE worker_id = '$hole'")
at_least "$failures" 10 "attempts that failed on the broken worker"
below "$failures" 21 "attempts that failed on the broken worker"
call /api/v1/alerts | grep -q worker_set_aside || fail "no alert tells that the worker is set aside"

post_tasks 200 "$task"
wait_for 60 ended 2200 || fail "not all tasks ended"
[ "$(sql "SELECT count(*) FROM attempt WHERE worker_id = '$hole'")" = "$failures" ] || fail "the worker that was set aside got work"

# Somebody repairs it and trusts it again.
stop "$pid"
wait_for 60 disconnected || fail "the workers do not disconnect"
workers[0]=hole:default:4
start_workers workers "${workers[@]}"
post_tasks 200 "$task"
wait_for 60 ended 2400 || fail "not all tasks ended"
[ "$(sql "SELECT count(*) FROM attempt WHERE worker_id = '$hole'")" = "$failures" ] || fail "a restart alone gave the worker work"
BELAY_HOME=$cluster belay workers trust hole
post_tasks 200 "$task"
wait_for 60 ended 2600 || fail "not all tasks ended"
trusted=$(sql "SELECT count(*) FROM attempt WHERE worker_id = '$hole' AND exit_code = 0")
at_least "$trusted" 1 "tasks of the worker that is trusted again"
figure "set aside after $failures failures; 2,000 tasks succeeded; $trusted tasks after it was trusted again"
