#!/usr/bin/env bash
# Two clients steer the same task at once, 500 times: each race has one defined outcome, and the other client is told.
# takes: about 4 min
#
# Clear twice, clear against finish, mark against retry and finish, clear against the end and the retry of the run, skip and block
# against claim, on PostgreSQL, in whatever order they happen to come. Every history is legal.
. "$(dirname "$0")/../lib.sh"

(cd "$root" && mvn -B -q -Dquick -pl simulation -am test -Dtest=SteerRacesTest -Dbelay.races=500 \
  -Dsurefire.failIfNoSpecifiedTests=false) \
  >"$work/races.log" 2>&1 || { tail -n 30 "$work/races.log"; fail "the lines above say why"; }
outcomes=$(grep -oE 'races: 500, \{[^}]+' "$work/races.log" | cut -d'{' -f2)
[ -n "$outcomes" ] || fail "the test does not say what happened"
figure "500 races, one outcome each: $outcomes"
