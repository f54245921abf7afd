#!/usr/bin/env bash
# 100,000 random lives read from the derived history as they were logged step by step.
# takes: about 15 min
#
# The same calls with the same ids and clock go to a store that logs every step and attempt, and to PostgreSQL, which derives
# the usual ones. After every call both must show the same.
. "$(dirname "$0")/../lib.sh"

lives=${BELAY_PROOF_LIVES:-100000}
(cd "$root" && mvn -B -Dquick -pl simulation -am test -Dtest=LivesTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dbelay.lives="$lives") >"$work/lives.log" 2>&1 || { grep -v '^\[INFO\]' "$work/lives.log" | tail -n 40; fail "the histories differ"; }
told=$(grep -oE 'lives: [0-9]+, .*' "$work/lives.log" | tail -n 1)
at_least "$(grep -oE '[0-9]+' <<<"$told" | head -n 1)" "$lives" "lives compared"
figure "$told: no difference"
