#!/usr/bin/env bash
# The leader of three replicas is killed with -9 under load, 20 times; every task runs exactly once.
# takes: about 4 min
#
# The next leader dispatches within 3 s each time. No epoch runs backwards.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 3 --agents 2 --slots 8
failover killed "${BELAY_PROOF_ROUNDS:-20}" | tee "$work/failover.log" || fail "the lines above say why"
figure "$(tail -n 1 "$work/failover.log")"
