#!/usr/bin/env bash
# Submit to started on an idle system with a remote worker: p50 under 5 ms, p99 under 15 ms. A chain of 100
# dependent no-op tasks: under 1 s.
. "$(dirname "$0")/lib.sh"

bench latency
p50=$(of latency belay p50_ms) p99=$(of latency belay p99_ms)
bench chain
chain=$(of chain belay median_ms)
echo "p50 $p50 ms, p99 $p99 ms, chain $chain ms"
below "$p50" 5 "p50 of submit to started, ms"
below "$p99" 15 "p99 of submit to started, ms"
below "$chain" 1000 "chain of 100, ms"
figure "submit to started p50 $p50 ms, p99 $p99 ms; chain of 100 in $chain ms"
