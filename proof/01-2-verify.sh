#!/usr/bin/env bash
# `mvn -B verify` passes with the machine's default java, within 8 minutes, in a copy of the checkout.
. "$(dirname "$0")/lib.sh"

copy=$work/checkout
mkdir -p "$copy"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$copy"
before=$SECONDS
(cd "$copy" && unset JAVA_HOME && mvn -B verify) >"$work/verify.log" 2>&1 || { tail -n 40 "$work/verify.log"; fail "verify failed"; }
took=$((SECONDS - before))
tests=$(sed -n -E 's/^\[[A-Z]+\] Tests run: ([0-9]+), Failures: 0, Errors: 0.*[0-9]$/\1/p' "$work/verify.log" | awk '{n += $1} END {print n + 0}')
[ "$tests" -gt 0 ] || fail "no test ran"
[ "$took" -le 480 ] || fail "verify took $took s, over 480"
figure "verify with $(java -version 2>&1 | head -n 1): $tests tests pass in $took s"
