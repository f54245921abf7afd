#!/usr/bin/env bash
# A submitted task starts within 4 ms (p50) and 9 ms (p99), a chain of 100 ends in 600 ms, and 1,000 tasks start in 200 ms.
# takes: about 4 min
#
# The system is idle and the worker is remote, with an in-JVM handler. The 1,000 tasks depend on one; the time counts from
# the start of that one to the start of the last. Run this proof on a quiet machine.
. "$(dirname "$0")/../lib.sh"

bench latency
p50=$(of latency belay p50_ms) p99=$(of latency belay p99_ms)
bench chain --repeats 5
chain=$(of chain belay median_ms)
bench fanout --repeats 5
fanout=$(of fanout belay median_ms)
echo "p50 $p50 ms, p99 $p99 ms, chain $chain ms, fan-out $fanout ms"
below "$p50" 4 "p50 of submit to started, ms"
below "$p99" 9 "p99 of submit to started, ms"
below "$chain" 600 "chain of 100, ms"
below "$fanout" 200 "fan-out of 1,000, ms"
figure "submit to started p50 $p50 ms, p99 $p99 ms; chain of 100 in $chain ms; 1,000 tasks of a fan-out started in $fanout ms"
