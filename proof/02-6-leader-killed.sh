#!/usr/bin/env bash
# Three replicas and two agents under a stream of tasks: the leader is killed with -9, 20 times. The next one
# dispatches within 3 s each time; every accepted task ran exactly once; no epoch runs backwards.
. "$(dirname "$0")/lib.sh"

start_cluster --replicas 3 --agents 2 --slots 8
failover killed "${BELAY_PROOF_ROUNDS:-20}" | tee "$work/failover.log" || fail "see above"
figure "$(tail -n 1 "$work/failover.log")"
