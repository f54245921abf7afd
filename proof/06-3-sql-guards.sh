#!/usr/bin/env bash
# Guards taken out of the text of PostgreSQL's statements, one at a time: race tests on PostgreSQL miss each, in 5 minutes.
. "$(dirname "$0")/lib.sh"

before=$SECONDS
(cd "$root" && mvn -q -B -pl simulation -am test -Dquick -Dbelay.sqlguards=all -Dtest=SqlGuardsTest \
  -Dsurefire.failIfNoSpecifiedTests=false) >"$work/guards.log" 2>&1 ||
  { grep -E 'without|race tests:|FAILURE' "$work/guards.log" | tail -n 60; fail "a guard is missed by no race test"; }
took=$((SECONDS - before))
grep -E 'without|race tests:' "$work/guards.log"
guards=$(grep -c '^without' "$work/guards.log")
[ "$guards" -ge 11 ] || fail "only $guards guards were taken out"
[ "$took" -le 300 ] || fail "it took $took s, over 300"
figure "$((guards - 1)) guards taken out of the SQL one at a time, each missed by a race test, in $took s"
