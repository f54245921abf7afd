#!/usr/bin/env bash
# Throughput with 2,000,000 finished tasks in the database at least 0.8x of that with none, interleaved; and no
# hot statement touches a finished row (EXPLAIN).
. "$(dirname "$0")/lib.sh"

bench history
ratio=$(tr -d '\n' <"$work/history.json" | grep -oE '"ratio" *: *[0-9.]+' | head -n 1 | grep -oE '[0-9.]+$')
at_least "$ratio" 0.8 "throughput with 2,000,000 finished tasks over that with none"
(cd "$root" && mvn -B -q -Dquick -pl store -am test -Dtest=HotPlansTest,QueryPlansTest -Dsurefire.failIfNoSpecifiedTests=false) \
  >"$work/plans.log" 2>&1 || { tail -n 30 "$work/plans.log"; fail "a hot statement touches finished rows"; }
figure "with 2,000,000 finished tasks: $ratio x the throughput without; no hot plan touches them"
