#!/usr/bin/env bash
# Placing a task costs less than 2x from 100 to 10,000 workers; 100 behind 100,000 blocked ones start within 1 s.
# takes: about 10 min
#
# 100,000 tasks wait in both cases; the blocked ones wait for 1,000 concurrency keys that are taken.
. "$(dirname "$0")/../lib.sh"

bench routing
sized() { tr -d '\n' <"$work/routing.json" | grep -oE "\{[^{}]*\"workers\" *: *$1 *,[^{}]*\"placement_us\"[^{}]*\}"; }
for workers in 100 1000 10000; do
  echo "$workers workers: $(field rate <<<"$(sized $workers)") placements a second, $(field placement_us <<<"$(sized $workers)") us each"
done
below "$(field ratio <<<"$(sized 1000)")" 2 "ratio of the cost at 1,000 workers to that at 100"
ratio=$(field ratio <<<"$(sized 10000)")
below "$ratio" 2 "ratio of the cost at 10,000 workers to that at 100"
blocked=$(tr -d '\n' <"$work/routing.json" | grep -oE '\{[^{}]*"blocked"[^{}]*\}')
started=$(field started_ms <<<"$blocked") elected=$(field elected_ms <<<"$blocked")
below "$started" 1000 "ms until 100 tasks behind 100,000 blocked ones started"
below "$elected" 1000 "ms until a new leader started them"
figure "$(field rate <<<"$(sized 10000)") placements a second with 10,000 workers, $ratio x the cost with 100; 100 behind 100,000 blocked ones: $started ms, by a new leader $elected ms"
