#!/usr/bin/env bash
# 50,000 seeded requests at a server with a heap of 256 MB: every route, the worker protocol, workflow files, HTTP itself.
# No 500, no hang over 10 s, no reset, no stack trace in the log, no state changed by a refused request, the process lives.
# The fuzzer is this checkout's; the server is that of $root.
. "$(dirname "$0")/lib.sh"

requests=${BELAY_PROOF_REQUESTS:-50000}
code=0
"$(dirname "$proof")/belay" fuzz --requests "$requests" --seed 1 --findings 20 --product "$root" -o json \
  >"$work/answer.json" 2>"$work/fuzz.log" || code=$?
grep -v '^belay:' "$work/fuzz.log" | tail -n 3
if [ "$code" != 0 ]; then
  tr '{' '\n' <"$work/answer.json" | grep -E '"rule"' | cut -c1-400 || tail -n 20 "$work/fuzz.log"
  fail "fuzz ended $code: $(tr '{' '\n' <"$work/answer.json" | grep -cE '"rule"' || true) findings in $(answer requests) requests; uncovered $(grep -oE '"uncovered":\[[^]]*\]' "$work/answer.json" || true)"
fi
[ "$(answer requests)" = "$requests" ] || fail "only $(answer requests) requests were sent"
at_least "$(answer state_comparisons)" $((requests / 500)) "comparisons of the database"
below "$(answer heap_mb)" 200 "the heap afterwards, in MB"
figure "$(answer requests) requests ($(answer refused) refused) in $(($(answer elapsed_ms) / 1000)) s: nothing found; database compared $(answer state_comparisons) times over $(answer state_requests) refused requests and reads; health p99 $(answer health_p99_ms) ms, worst $(answer health_worst_ms) ms; heap afterwards $(answer heap_mb) MB of 256, resident at most $(answer resident_mb) MB"
