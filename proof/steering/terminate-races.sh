#!/usr/bin/env bash
# 1,000 random races of terminate, finish, retry and lost workers on PostgreSQL leave what one of the orders leaves.
# takes: about 4 min
#
# Two or three writers begin at the same moment, without an order between them. The state, the reason of the attempt and every
# answer must be those of one order; every step of every history must be legal.
. "$(dirname "$0")/../lib.sh"

seed=${BELAY_PROOF_SEED:-$RANDOM}
(cd "$root" && mvn -B -q -Dquick -pl simulation -am test -Dtest=TerminateRacesTest -Dbelay.races=1000 -Dbelay.races.seed="$seed" \
  -Dsurefire.failIfNoSpecifiedTests=false) \
  >"$work/races.log" 2>&1 || { tail -n 30 "$work/races.log"; fail "the lines above say why; the seed is $seed"; }
outcomes=$(grep -oE '1000 races: \{.*\}' "$work/races.log") || fail "the races did not run"
figure "$outcomes; each is the outcome of one order, with legal histories (seed $seed)"
