#!/usr/bin/env bash
# Guards taken out one at a time: each is caught within 2,000 seeds. With all of them in place the same seeds pass.
. "$(dirname "$0")/lib.sh"

guards="EPOCH DISPATCH_ID SESSION FROM_STATE DISPATCH_GRACE ELECTION_GRACE JOURNAL_BEFORE_EXEC ACK_AFTER_COMMIT
  FOLD_BY_DISPATCH MARK_BEFORE_READ MAX_ACTIVE"
count=0
caught=
worst=0
for guard in $guards; do
  belay simulate --seeds 1..2000 --remove-guard "$guard" --no-shrink -o json >"$work/answer.json" 2>"$work/simulate.log" || true
  [ "$(answer failed)" = 1 ] || { tail -n 20 "$work/simulate.log"; fail "without $guard nothing failed in $(answer seeds) seeds"; }
  at=$(answer seed)
  echo "without $guard: seed $at: $(answer message)"
  caught="$caught $guard $at,"
  [ "$at" -le "$worst" ] || worst=$at
  count=$((count + 1))
done
simulate --seeds 1.."$((worst < 20 ? 20 : worst))"
figure "$count guards taken out one at a time, each caught; guard and seed:${caught%,}"
