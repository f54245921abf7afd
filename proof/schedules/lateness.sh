#!/usr/bin/env bash
# 1,000 schedules of one second create their runs within 150 ms (p99), 10,000 over a minute within 50 ms.
# takes: about 12 min
#
# 100,000 schedules that are not due cost the leader's tick and the schedules' loop less than 1.2 times what 1,000 cost. db-scheduler
# and Quartz run the same expressions on the same PostgreSQL. Run this proof on a quiet machine.
. "$(dirname "$0")/../lib.sh"

same_max=${BELAY_PROOF_SAME_MS:-150}
spread_max=${BELAY_PROOF_SPREAD_MS:-50}

part() { # part SYSTEM CASE FIELD [SCHEDULES]
  tr -d '\n' <"$work/lateness.json" | grep -oE "\{[^{}]*\"system\" *: *\"$1\"[^{}]*\"case\" *: *\"$2\"[^{}]*\}" |
    { grep -E "\"schedules\" *: *${4:-[0-9]+}[,}]" || true; } | field "$3"
}

bench lateness --peers
grep -E 'bench: (belay|db-scheduler|quartz): ' "$work/lateness.log" || true
line() { # line CASE
  local peer text
  text="p50 $(part belay "$1" p50_ms) ms, p99 $(part belay "$1" p99_ms) ms, worst $(part belay "$1" max_ms) ms, tasks started p99 $(part belay "$1" started_p99_ms) ms"
  for peer in db-scheduler quartz; do
    text="$text; $peer p99 $(part $peer "$1" p99_ms) ms ($(part $peer "$1" ratio) x ours, $(part $peer "$1" ratio_started) x our starts, $(part $peer "$1" missing) missing)"
  done
  echo "$text"
}
tick=$(part belay 'not due' tick_ratio 100000) step=$(part belay 'not due' step_ratio 100000)
echo "1,000 at the same second: $(line 'same second')"
echo "10,000 over a minute: $(line 'over a minute')"
echo "100,000 that are not due: tick $tick x, step of the loop $step x"
below "$(part belay 'same second' p99_ms)" "$same_max" "p99 of 1,000 runs of the same second, ms late"
below "$(part belay 'over a minute' p99_ms)" "$spread_max" "p99 of 10,000 runs over a minute, ms late"
below "$tick" 1.2 "ratio of the tick beside 100,000 schedules to the tick beside 1,000 (p50)"
below "$step" 1.2 "ratio of the loop's step beside 100,000 schedules to the step beside 1,000 (p50)"
figure "1,000 runs at the same second: $(line 'same second'); 10,000 over a minute: $(line 'over a minute'); 100,000 not due: tick $tick x, loop $step x"
