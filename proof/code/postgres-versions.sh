#!/usr/bin/env bash
# The store's tests pass on PostgreSQL 15, 16, 17 and 18.
# takes: about 12 min
#
# The binaries of each version come from Maven Central. The tests of the embedded server, which has one version, stay out.
. "$(dirname "$0")/../lib.sh"

copy=$work/checkout
mkdir -p "$copy"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$copy"
case $(uname -m) in aarch64 | arm64) platform=arm64v8 ;; *) platform=amd64 ;; esac
as=()
if [ "$(id -u)" = 0 ]; then
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups) # PostgreSQL refuses root
  chmod 755 "$work"
fi

start_postgres() { # start_postgres VERSION PORT
  local home=$work/$1
  (cd "$copy" && mvn -B -q -N dependency:copy -Dartifact="io.zonky.test.postgres:embedded-postgres-binaries-linux-$platform:$1" \
    -DoutputDirectory="$home/jar") >"$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log"; fail "no binaries of $1"; }
  mkdir "$home/bin" "$home/data"
  unzip -p "$home"/jar/*.jar '*.txz' | tar -xJf - -C "$home/bin"
  [ ${#as[@]} = 0 ] || chown 65534:65534 "$home/data"
  echo belay >"$home/password"
  chmod 644 "$home/password"
  "${as[@]}" "$home/bin/bin/initdb" -D "$home/data/db" -U belay --pwfile="$home/password" -A scram-sha-256 -E UTF8 --locale=C \
    --no-sync >"$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log"; fail "initdb of $1"; }
  start "postgres-$1" "${as[@]}" "$home/bin/bin/postgres" -D "$home/data/db" -p "$2" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c fsync=off -c max_connections=300
  wait_for 30 grep -q 'ready to accept connections' "$work/postgres-$1.log" || fail "PostgreSQL $1 does not start"
}

versions=
for version in ${BELAY_PROOF_VERSIONS:-15.18.0 16.14.0 17.10.0 18.6.0}; do
  port=$(free_port)
  start_postgres "$version" "$port"
  log=$work/tests-$version.log
  began=$SECONDS
  (cd "$copy" && BELAY_TEST_POSTGRES_URL="jdbc:postgresql://127.0.0.1:$port/postgres?user=belay&password=belay" \
    mvn -B -pl store -am test -Dquick -Dsurefire.failIfNoSpecifiedTests=false \
    -Dtest='dev.belay.store.**') >"$log" 2>&1 || {
    grep -E '<<< (FAILURE|ERROR)' -A 8 "$log" >"$work/failures" || tail -n 30 "$log" >"$work/failures"
    head -n 60 "$work/failures"
    fail "PostgreSQL $version"
  }
  stop "$pid"
  tests=$(sed -n -E 's/^\[[A-Z]+\] Tests run: ([0-9]+), Failures: 0, Errors: 0.*[0-9]$/\1/p' "$log" | tail -n 1)
  [ "${tests:-0}" -gt 250 ] || fail "only ${tests:-0} tests ran on PostgreSQL $version"
  echo "PostgreSQL $version: $tests tests pass ($((SECONDS - began)) s)"
  versions="$versions $version,"
done
figure "the store's $tests tests pass on PostgreSQL${versions%,}"
