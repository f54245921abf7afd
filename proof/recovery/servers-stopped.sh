#!/usr/bin/env bash
# All servers stop for 60 s while 50 tasks run; every task ends as it would have.
# takes: about 3 min
#
# The outage fails no task, and no task is tried again.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 2 --slots 25
# While the servers are stopped, 20 tasks succeed and 10 fail by themselves; 20 more succeed later.
submit_tasks 20 'm start; sleep 30; m end' >/dev/null
submit_tasks 10 'm start; sleep 30; m end; exit 3' >/dev/null
submit_tasks 20 'm start; sleep 80; m end' >/dev/null
wait_for 30 marked start 50 || fail "50 tasks do not start"
wait_for 10 are_in RUNNING 50 || fail "50 tasks are not RUNNING"

for replica in 1 2; do
  server=$(pid_of "replica-$replica")
  kill "$server"
  wait_for 15 none_alive "$server" || fail "replica-$replica does not stop"
done
sleep 60
[ "$(marks end | wc -l)" = 30 ] || fail "$(marks end | wc -l) tasks ended while the servers were stopped, not 30"
for replica in 1 2; do belay cluster start --dir "$cluster" --replica "$replica"; done
back=$(now)
wait_for 60 are_in FAILED 10 || fail "$(count_tasks FAILED) of 10 tasks failed by themselves"
told=$(since "$back")
wait_for 90 are_in SUCCEEDED 40 || fail "$(count_tasks SUCCEEDED) of 40 tasks succeed"
ended_once 50
attempts=$(sql "SELECT count(*), count(*) FILTER (WHERE exit_code = 0), count(*) FILTER (WHERE exit_code = 3) FROM attempt" | tr '\t' ' ')
[ "$attempts" = "50 40 10" ] || fail "attempts, succeeded and failed with code 3: $attempts, not 50 40 10"
figure "servers stopped for 60 s: 50 of 50 tasks ended as they would have, at the first attempt; the servers knew of all ended tasks $told s after their start"
