#!/usr/bin/env bash
# A task that needs 4 slots, among a stream of narrow ones on workers of 4 slots, starts within one task's length.
# takes: about 1 min
#
# Narrow tasks always wait, so each slot that becomes free would get one of them: Belay must keep a worker's slots.
. "$(dirname "$0")/../lib.sh"

rounds=5
length_ms=2000
start_cluster --replicas 1 --agents 0
start_workers workers narrow-1:default:4 narrow-2:default:4 narrow-3:default:4

wide_started() { [ "$(sql "SELECT count(*) FROM task WHERE name = 'wide' AND started_at IS NOT NULL")" -ge "$1" ]; }

# Of different ages, so that the slots of a worker do not become free together by chance.
for _ in {1..12}; do
  post_tasks 1 '"name": "narrow", "command": ["sleep", "2"], "execution_timeout": "4s"'
  sleep 0.15
done
post_tasks 600 '"name": "narrow", "command": ["sleep", "2"], "execution_timeout": "4s"'
for ((round = 1; round <= rounds; round++)); do
  post_tasks 1 '"name": "wide", "command": ["sleep", "0.1"], "slots": 4, "priority": 60'
  wait_for 20 wide_started "$round" || fail "wide task $round did not start in 20 s"
done
waited=$(sql "SELECT round(extract(epoch FROM max(dispatched_at - created_at)) * 1000) FROM task WHERE name = 'wide'")
idle=$(sql "SELECT count(*) FROM task WHERE name = 'narrow' AND state = 'SCHEDULED'")
at_least "$idle" 1 "narrow tasks that still waited at the end"
sql "SELECT round(extract(epoch FROM dispatched_at - created_at) * 1000) FROM task WHERE name = 'wide' ORDER BY id" | sed 's/^/wide task waited ms: /'
# 200 ms for the way of a result, the tick and the claim.
below "$waited" $((length_ms + 200)) "ms until a wide task started"
figure "$rounds wide tasks among $idle and more narrow ones of $length_ms ms: each started within $waited ms"
