#!/usr/bin/env bash
# Three replicas and two agents under a stream of tasks: the leader is frozen (SIGSTOP) for 20 s. Another leads within
# 12 s; after it woke, nothing of its old epoch is written, and it follows. Stopped in order (SIGTERM), another leads
# within 1 s. Every accepted task ran exactly once.
. "$(dirname "$0")/lib.sh"

start_cluster --replicas 3 --agents 2 --slots 8
failover frozen "${BELAY_PROOF_ROUNDS:-2}" | tee "$work/frozen.log" || fail "see above"
belay cluster down --dir "$cluster"
rm -rf "$cluster"

start_cluster --replicas 3 --agents 2 --slots 8
failover stopped "${BELAY_PROOF_ROUNDS:-5}" | tee "$work/stopped.log" || fail "see above"
figure "$(tail -n 1 "$work/frozen.log"); $(tail -n 1 "$work/stopped.log")"
