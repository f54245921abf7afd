#!/usr/bin/env bash
# The store's tests pass on PostgreSQL 15, 16, 17 and 18.
# takes: about 12 min
#
# The binaries of each version come from Maven Central.
. "$(dirname "$0")/../lib.sh"

copy=$work/checkout
mkdir -p "$copy"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$copy"
passed=
for version in ${BELAY_PROOF_VERSIONS:-15.18.0 16.14.0 17.10.0 18.6.0}; do
  log=$work/$version.log
  (cd "$copy" && rm -rf */target && mvn -B -pl store -am test -Dquick -Dpostgres.binaries.version="$version" -Dtest='dev.belay.store.**' \
    -Dsurefire.failIfNoSpecifiedTests=false) >"$log" 2>&1 || { grep -E '<<< (FAILURE|ERROR)' -A 8 "$log" | head -n 60; fail "PostgreSQL $version"; }
  tests=$(sed -n -E 's/^\[[A-Z]+\] Tests run: ([0-9]+), Failures: 0, Errors: 0.*[0-9]$/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
  [ "$tests" -gt 300 ] || fail "only $tests tests ran on PostgreSQL $version"
  echo "PostgreSQL $version: $tests tests pass"
  passed="$passed $version,"
done
figure "the store's $tests tests pass on PostgreSQL${passed%,}"
