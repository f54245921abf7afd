#!/usr/bin/env bash
# 50,000 hostile requests at a server with a heap of 256 MB cause no 500, no hang and no change of state.
# takes: about 5 min
#
# The fuzzer covers every route, the worker protocol, workflow files and HTTP itself. It reports an answer later than 10 s, a
# reset connection, a stack trace in the log, and a refused request that changed something. The fuzzer comes from this
# checkout; the server comes from $root.
. "$(dirname "$0")/../lib.sh"

requests=${BELAY_PROOF_REQUESTS:-50000}
code=0
"$checkout/belay" fuzz --requests "$requests" --seed 1 --findings 20 --product "$root" -o json \
  >"$work/answer.json" 2>"$work/fuzz.log" || code=$?
grep -v '^belay:' "$work/fuzz.log" | tail -n 3
if [ "$code" != 0 ]; then
  tr '{' '\n' <"$work/answer.json" | grep -E '"rule"' | cut -c1-400 || tail -n 20 "$work/fuzz.log"
  fail "fuzz exited $code: $(tr '{' '\n' <"$work/answer.json" | grep -cE '"rule"' || true) findings in $(answer requests) requests; uncovered $(grep -oE '"uncovered":\[[^]]*\]' "$work/answer.json" || true)"
fi
[ "$(answer requests)" = "$requests" ] || fail "the fuzzer sent only $(answer requests) requests"
at_least "$(answer state_comparisons)" $((requests / 500)) "comparisons of the database"
below "$(answer heap_mb)" 200 "MB of heap afterwards"
figure "$(answer requests) requests ($(answer refused) refused) in $(($(answer elapsed_ms) / 1000)) s find nothing; the database was compared $(answer state_comparisons) times over $(answer state_requests) refused requests and reads; health p99 $(answer health_p99_ms) ms, worst $(answer health_worst_ms) ms; heap afterwards $(answer heap_mb) MB of 256, resident at most $(answer resident_mb) MB"
