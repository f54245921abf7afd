#!/usr/bin/env bash
# 1,000, 5,000 and 20,000 active runs, 50 changed in each tick: p99 grows less than 2x from first to last.
. "$(dirname "$0")/lib.sh"

bench tick
last=$(tr -d '\n' <"$work/tick.json" | grep -oE '\{[^{}]*"active_runs" *: *20000[^{}]*\}')
ratio=$(field ratio <<<"$last")
below "$ratio" 2 "p99 at 20,000 over p99 at 1,000"
figure "p99 $(field p99_ms <<<"$last") ms with 20,000 active runs, $ratio x that with 1,000"
