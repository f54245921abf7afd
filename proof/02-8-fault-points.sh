#!/usr/bin/env bash
# 1,000 crashes between any two statements of plan, claim, result and finalize, in under 60 s; every history legal,
# nothing lost.
. "$(dirname "$0")/lib.sh"

(cd "$root" && mvn -B -q -Dquick -pl simulation -am test -Dtest=FaultPointsTest -Dsurefire.failIfNoSpecifiedTests=false) \
  >"$work/faults.log" 2>&1 || { tail -n 30 "$work/faults.log"; fail "see above"; }
took=$(sed -n -E 's/.*<testcase [^>]*time="([0-9.]+)".*/\1/p' "$root"/simulation/target/surefire-reports/TEST-*FaultPointsTest.xml)
below "$took" 60 "seconds for 1,000 crashes"
figure "1,000 crashes in $took s: every task reached one true end"
