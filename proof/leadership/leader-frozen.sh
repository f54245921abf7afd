#!/usr/bin/env bash
# A frozen or stopped leader is replaced under load, and writes nothing when it wakes.
# takes: about 4 min
#
# The leader is frozen (SIGSTOP) for 20 s. Another replica leads within 12 s. The old leader wakes, writes nothing of its old
# epoch, and follows. After SIGTERM another replica leads within 1 s. Every accepted task runs exactly once.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 3 --agents 2 --slots 8
failover frozen "${BELAY_PROOF_ROUNDS:-2}" | tee "$work/frozen.log" || fail "the lines above say why"
belay cluster down --dir "$cluster"
rm -rf "$cluster"

start_cluster --replicas 3 --agents 2 --slots 8
failover stopped "${BELAY_PROOF_ROUNDS:-5}" | tee "$work/stopped.log" || fail "the lines above say why"
figure "$(tail -n 1 "$work/frozen.log"); $(tail -n 1 "$work/stopped.log")"
