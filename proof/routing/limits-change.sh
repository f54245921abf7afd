#!/usr/bin/env bash
# Limits change while tasks and workers are lost: never above a limit, and never below it for longer than 1 s.
# takes: about 4 min
#
# Kills of running tasks, cancels of queued ones, bulk cancels, retries, workers killed between claim and start, limits of a pool, a
# tenant and a workflow lowered, raised and removed with 1,000 tasks waiting. BELAY_PROOF_SEED repeats an order.
. "$(dirname "$0")/../lib.sh"

seed=${BELAY_PROOF_SEED:-$RANDOM}
echo "seed $seed"
start_cluster --replicas 1 --agents 0
mkdir -p "$work/workers"
tool LimitChanges.java "$seed" 120 "$cluster" "$work/workers" "$tools/Workers.java" >"$work/changes.log" 2>&1 || {
  cat "$work/changes.log"
  fail "seed $seed: the lines above say why"
}
cat "$work/changes.log"
figure "seed $seed: $(tail -n 1 "$work/changes.log")"
