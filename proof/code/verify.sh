#!/usr/bin/env bash
# A copy of the checkout passes `mvn -B verify` within 8 minutes and `.ci/run` within 15.
# takes: about 8 min
#
# It uses the default java of the machine. `.ci/run` runs `mvn -B verify` itself.
. "$(dirname "$0")/../lib.sh"

copy=$work/checkout
mkdir -p "$copy"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$copy"
before=$SECONDS
(cd "$copy" && unset JAVA_HOME BELAY_HOME && BELAY_AOT=off bash .ci/run) >"$work/verify.log" 2>&1 || { grep -E '<<< (FAILURE|ERROR)' -A 12 "$work/verify.log" | head -n 60 || true; tail -n 20 "$work/verify.log"; fail ".ci/run failed"; }
all=$((SECONDS - before))
took=$(sed -n -E 's/^\[INFO\] Total time: +(([0-9]+):)?([0-9.]+) (min|s).*/\2 \3/p' "$work/verify.log" | tail -n 1 | awk '{print NF == 2 ? int($1 * 60 + $2) : int($1)}')
tests=$(sed -n -E 's/^\[[A-Z]+\] Tests run: ([0-9]+), Failures: 0, Errors: 0.*[0-9]$/\1/p' "$work/verify.log" | awk '{n += $1} END {print n + 0}')
[ "$tests" -gt 0 ] || fail "no test ran"
[ "$took" -le 480 ] || fail "verify took $took s, over 480"
[ "$all" -le 900 ] || fail ".ci/run took $all s, over 900"
figure ".ci/run in $all s; verify with $(java -version 2>&1 | head -n 1): $tests tests pass in $took s"
