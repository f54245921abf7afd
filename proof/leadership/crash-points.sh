#!/usr/bin/env bash
# The engine crashes 1,000 times between two statements; every history is legal and no task is lost.
# takes: about 2 min
#
# The crashes hit any two statements of plan, claim, result and finalize. All of it takes less than 60 s.
. "$(dirname "$0")/../lib.sh"

(cd "$root" && mvn -B -q -Dquick -pl simulation -am test -Dtest=FaultPointsTest -Dbelay.crashes=1000 \
  -Dsurefire.failIfNoSpecifiedTests=false) \
  >"$work/faults.log" 2>&1 || { tail -n 30 "$work/faults.log"; fail "the lines above say why"; }
took=$(sed -n -E 's/.*<testcase [^>]*time="([0-9.]+)".*/\1/p' "$root"/simulation/target/surefire-reports/TEST-*FaultPointsTest.xml)
below "$took" 60 "seconds for 1,000 crashes"
figure "1,000 crashes in $took s: every task reached exactly one end"
