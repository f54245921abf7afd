#!/usr/bin/env bash
# A submitted task starts within 5 ms (p50) and 15 ms (p99); a chain of 100 tasks ends within 1 s.
# takes: about 2 min
#
# The system is idle and the worker is remote. Run this proof on a quiet machine.
. "$(dirname "$0")/../lib.sh"

bench latency
p50=$(of latency belay p50_ms) p99=$(of latency belay p99_ms)
bench chain
chain=$(of chain belay median_ms)
echo "p50 $p50 ms, p99 $p99 ms, chain $chain ms"
below "$p50" 5 "p50 of submit to started, ms"
below "$p99" 15 "p99 of submit to started, ms"
below "$chain" 1000 "chain of 100, ms"
figure "submit to started p50 $p50 ms, p99 $p99 ms; chain of 100 in $chain ms"
