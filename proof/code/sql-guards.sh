#!/usr/bin/env bash
# Race tests on PostgreSQL fail for each guard that is removed from the text of an SQL statement.
# takes: about 4 min
#
# The proof removes one guard at a time. All of it takes at most 5 minutes.
. "$(dirname "$0")/../lib.sh"

before=$SECONDS
(cd "$root" && mvn -q -B -pl simulation -am test -Dquick -Dbelay.sqlguards=all -Dtest=SqlGuardsTest \
  -Dsurefire.failIfNoSpecifiedTests=false) >"$work/guards.log" 2>&1 ||
  { grep -E 'without|race tests:|FAILURE' "$work/guards.log" | tail -n 60; fail "no race test fails without one of the guards"; }
took=$((SECONDS - before))
grep -E 'without|race tests:' "$work/guards.log"
guards=$(grep -c '^without' "$work/guards.log")
[ "$guards" -ge 11 ] || fail "the test removed only $guards guards"
[ "$took" -le 300 ] || fail "it took $took s, over 300"
figure "$((guards - 1)) guards removed from the SQL one at a time; a race test fails for each, in $took s"
