#!/usr/bin/env bash
# 2,000,000 finished tasks in the database cost at most a fifth of the throughput.
# takes: about 8 min
#
# The bench measures the full and the empty database by turns. EXPLAIN shows that no hot statement touches a finished row.
. "$(dirname "$0")/../lib.sh"

bench history
ratio=$(tr -d '\n' <"$work/history.json" | grep -oE '"ratio" *: *[0-9.]+' | head -n 1 | grep -oE '[0-9.]+$')
at_least "$ratio" 0.8 "ratio of throughput with 2,000,000 finished tasks to that with none"
(cd "$root" && mvn -B -q -Dquick -pl store -am test -Dtest=HotPlansTest,QueryPlansTest -Dsurefire.failIfNoSpecifiedTests=false) \
  >"$work/plans.log" 2>&1 || { tail -n 30 "$work/plans.log"; fail "a hot statement touches finished rows"; }
figure "with 2,000,000 finished tasks the throughput is $ratio x that of an empty database; no hot statement touches a finished row"
