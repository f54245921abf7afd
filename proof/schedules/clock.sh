#!/usr/bin/env bash
# One row for each instant while the clock of the database steps, the leader is killed and the database stops.
# takes: about 12 min
#
# PostgreSQL runs under libfaketime, so its clock steps back and forth by an hour while tasks run, and again between the kills (-9, at
# random moments). Then it stops over three instants. Three workflows fire every 5 s and differ only in `missed`. The proof reckons
# their instants itself and compares: one row of the ledger for each, decided as `missed` says; one run for each that fired; one mark
# of the task of each run. No step of the clock changes the leader or loses a task.
#
# libfaketime does not reach the signal handlers of a backend that waits: they see the machine's clock. The database's clock is
# therefore always ahead of it, by two hours and the step; behind it, PostgreSQL would end idle sessions too early.
. "$(dirname "$0")/../lib.sh"

kills=${BELAY_PROOF_ROUNDS:-20}
period=5
missed_after=3
hour=3600
base=$((2 * hour))

faketime=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null | head -n 1 || true)
if [ -z "$faketime" ]; then
  { apt-get install -y -q libfaketime || { apt-get update -q && apt-get install -y -q libfaketime; }; } >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log"; fail "libfaketime (Debian's package) is missing and cannot be installed"; }
  faketime=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 | head -n 1)
fi

# ---- PostgreSQL with a clock of its own

postgres=$work/postgres
mkdir -p "$postgres/bin" "$postgres/data"
case $(uname -m) in aarch64 | arm64) platform=arm64v8 ;; *) platform=amd64 ;; esac
version=$(sed -n -E 's/.*<postgres\.binaries\.version>([^<]+)<.*/\1/p' "$root/pom.xml")
(cd "$root" && mvn -B -q -N dependency:copy -DoutputDirectory="$postgres/jar" \
  -Dartifact="io.zonky.test.postgres:embedded-postgres-binaries-linux-$platform:$version") >"$work/maven.log" 2>&1 ||
  { tail -n 20 "$work/maven.log"; fail "no binaries of PostgreSQL $version"; }
unzip -p "$postgres"/jar/*.jar '*.txz' | tar -xJf - -C "$postgres/bin"
as=()
if [ "$(id -u)" = 0 ]; then
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups) # PostgreSQL refuses root
  chmod 755 "$work"
  chown 65534:65534 "$postgres/data"
fi
echo belay >"$postgres/password"
chmod 644 "$postgres/password"
${as[@]+"${as[@]}"} "$postgres/bin/bin/initdb" -D "$postgres/data/db" -U belay --pwfile="$postgres/password" -A scram-sha-256 \
  -E UTF8 --locale=C >"$work/initdb.log" 2>&1 || { tail -n 5 "$work/initdb.log"; fail "initdb"; }
database_port=$(free_port)

step() { # step SECONDS: the database's clock is this far from where it began
  echo "+$((base + $1))" >"$postgres/clock.new"
  mv "$postgres/clock.new" "$postgres/clock"
}

start_postgres() {
  start postgres ${as[@]+"${as[@]}"} env LD_PRELOAD="$faketime" FAKETIME_TIMESTAMP_FILE="$postgres/clock" FAKETIME_NO_CACHE=1 \
    FAKETIME_DONT_FAKE_MONOTONIC=1 "$postgres/bin/bin/postgres" -D "$postgres/data/db" -p "$database_port" \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200
  postmaster=$pid
  wait_for 60 grep -q 'ready to accept connections' "$work/postgres.log" || { tail -n 5 "$work/postgres.log"; fail "PostgreSQL does not start"; }
}

step 0
start_postgres
start_cluster --replicas 3 --agents 1 --slots 12 --database-url "jdbc:postgresql://127.0.0.1:$database_port/postgres" --user belay \
  --password-file "$postgres/password"
agent=$(pid_of agent-1)

# ---- the workflows

register() { # register NAME FIELDS: fires every period
  cat >"$work/$1.yaml" <<END
name: $1
triggers:
  - {every: ${period}s, missed_after: ${missed_after}s, $2}
tasks:
  - name: mark
    command: [/bin/sh, -c, 'echo "\$BELAY_TASK_ID \$BELAY_RUN_ID" >> $work/ran']
END
  ask /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/$1.yaml" >"$work/answer" || { cat "$work/answer"; fail "$1 is not accepted"; }
}

ask() { # of any replica
  local url
  for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do
    curl -sf -m 10 -H "Authorization: Bearer $(cat "$cluster/token")" "$url$1" "${@:2}" && return
  done
  return 1
}

epoch() { sql "SELECT epoch FROM leadership"; }

touch "$work/ran"
chmod 666 "$work/ran"
register skip 'missed: skip'
register once 'missed: fire_once'
register all 'missed: fire_all, missed_max: 10000'

rows() { sql "SELECT count(*) FROM fire WHERE outcome = 'fired'"; }
fired() { [ "$(rows)" -ge "$1" ]; } # fired N: at least N instants have fired
wait_for 60 fired 6 || fail "the schedules do not fire"

# ---- 1: steps, while tasks run

submit_tasks 3 'm start; sleep 75; m end' >/dev/null
submit_tasks 3 'm start; sleep 75; m end' ', "fencing": "strict"' >/dev/null
wait_for 60 marked start 6 || fail "6 tasks do not start"
began=$(epoch)
for offset in "-$hour" 0 "$hour" 0 "$hour"; do
  step "$offset"
  sleep 12
  echo "clock at $offset s: epoch $(epoch), $(rows) instants fired"
done
[ "$(epoch)" = "$began" ] || fail "a step of the clock changed the leader: epoch $began before, $(epoch) after"
wait_for 180 marked end 6 || fail "6 tasks do not end"
ended_once 6

# ---- 2: the leader is killed at random moments; the clock steps between some of them

led() { leader=$(ask /api/v1/info | field leader) && [ -n "$leader" ]; }
for ((round = 1; round <= kills; round++)); do
  sleep "$((RANDOM % period)).$((RANDOM % 10))"
  case $((round % 7)) in 3) step 0 ;; 5) step "$hour" ;; esac
  wait_for 60 led || fail "round $round: nobody leads"
  kill -9 "$(pid_of "$leader")"
  belay cluster start --dir "$cluster" --replica "${leader##*-}" >"$work/start.log" 2>&1 || { cat "$work/start.log"; fail "$leader does not start again"; }
done
step "$hour"
echo "leader killed $kills times: epoch $began before, $(epoch) after"

# ---- 3: the database stops over three instants

before=$(rows)
sleep $((2 * period))
kill -INT "$postmaster"
wait_for 30 none_alive "$postmaster" || fail "PostgreSQL does not stop"
sleep $((3 * period + 1))
: >"$work/postgres.log"
start_postgres
back=$((before + 6))
wait_for 60 fired "$back" || fail "the schedules do not fire after the database started again"
sleep $((2 * period))

# ---- the comparison

sql "UPDATE trigger_version SET due_at = NULL" >/dev/null # no instant is decided while the proof compares
open() { [ "$(sql "SELECT count(*) FROM run WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED')")" = "$1" ]; }
wait_for 300 open 0 || { sql "SELECT state, count(*) FROM run GROUP BY 1"; fail "not all runs end"; }
now=$(sql "SELECT floor(extract(epoch FROM belay_now()))::bigint")

summary=
for name in skip once all; do
  from=$(sql "SELECT floor(extract(epoch FROM v.from_at))::bigint FROM trigger_version v JOIN trigger t ON t.id = v.trigger_id WHERE t.workflow = '$name'")
  sql "SELECT extract(epoch FROM f.at)::bigint FROM fire f JOIN trigger t ON t.id = f.trigger_id WHERE t.workflow = '$name' ORDER BY f.at" >"$work/$name.rows"
  last=$(tail -n 1 "$work/$name.rows")
  [ "$last" -ge $((now - 6 * period - 120)) ] || fail "$name: the last row is of $last, and it is $now"
  seq $(((from / period + 1) * period)) "$period" "$last" >"$work/$name.instants"
  diff "$work/$name.instants" "$work/$name.rows" >"$work/$name.diff" || { head -n 10 "$work/$name.diff"; fail "$name: the instants (<) and the rows of the ledger (>) differ"; }
  summary="$summary $name $(wc -l <"$work/$name.rows"),"
done
sql "SELECT t.workflow, f.outcome, f.reason, count(*), count(*) FILTER (WHERE f.decided_at - f.due_at > interval '${missed_after}s') AS late
  FROM fire f JOIN trigger t ON t.id = f.trigger_id GROUP BY 1, 2, 3 ORDER BY 1, 2" | sed 's/^/  /'

none() { # none WHAT QUERY: the query finds no row
  local found
  found=$(sql "$2")
  [ -z "$found" ] || { head -n 10 <<<"$found"; fail "$1"; }
}
# A row is written a moment after it was decided.
ledger="(SELECT t.workflow, f.*, extract(epoch FROM f.decided_at - f.due_at) AS late FROM fire f JOIN trigger t ON t.id = f.trigger_id) AS f"
sure="abs(late - $missed_after) > 1"
none "skip fired a missed instant, or skipped another" "SELECT workflow, at, outcome, late FROM $ledger
  WHERE workflow = 'skip' AND $sure AND (outcome = 'fired') = (late > $missed_after)"
none "fire_all did not fire" "SELECT workflow, at, outcome, late FROM $ledger WHERE workflow = 'all' AND outcome <> 'fired'"
none "fire_once skipped, or coalesced what was in time" "SELECT workflow, at, outcome, late FROM $ledger
  WHERE workflow = 'once' AND (outcome = 'skipped' OR $sure AND outcome = 'coalesced' AND late < $missed_after)"
none "fire_once fired two missed instants together" "SELECT decided_at, count(*) FROM $ledger
  WHERE workflow = 'once' AND outcome = 'fired' AND $sure AND late > $missed_after GROUP BY 1 HAVING count(*) > 1"
none "an instant is coalesced into one that did not fire" "SELECT f.at, f.into_at FROM fire f
  LEFT JOIN fire i ON i.trigger_id = f.trigger_id AND i.at = f.into_at
  WHERE f.outcome = 'coalesced' AND (i.at IS NULL OR i.at <= f.at OR i.outcome = 'skipped')"
for name in skip:skipped once:coalesced; do
  [ "$(sql "SELECT count(*) FROM $ledger WHERE workflow = '${name%:*}' AND outcome = '${name#*:}'")" -ge $((hour / period - 5)) ] ||
    fail "${name%:*}: the hour that the clock jumped over left too few rows that are ${name#*:}"
done

none "an instant that fired does not have its one run" "SELECT f.at, count(r.id) FROM fire f LEFT JOIN run r ON r.trigger_id = f.trigger_id AND r.logical_date = f.at
  WHERE f.outcome = 'fired' GROUP BY f.trigger_id, f.at, f.run_id HAVING count(r.id) <> 1 OR min(r.id::text) <> f.run_id::text"
none "a run has no instant that fired" "SELECT r.id, r.logical_date FROM run r
  WHERE NOT EXISTS (SELECT FROM fire f WHERE f.trigger_id = r.trigger_id AND f.at = r.logical_date AND f.run_id = r.id)"
none "a run did not succeed" "SELECT id, state, reason FROM run WHERE state <> 'SUCCEEDED'"
sql "SELECT id || ' ' || run_id FROM task WHERE run_id IS NOT NULL" | sort >"$work/tasks"
sort "$work/ran" | diff "$work/tasks" - >"$work/marks.diff" || { head -n 10 "$work/marks.diff"; fail "the tasks of the runs (<) and their marks (>) differ"; }
none "an attempt was lost" "SELECT task_id, end_reason FROM past_attempt"
[ "$(pid_of agent-1)" = "$agent" ] && alive "$agent" || fail "the agent ended"
sql "SELECT kind, count(*) FROM recovery GROUP BY 1" | sed 's/^/  recovery: /'
sql "SELECT kind, count(*) FROM alert GROUP BY 1" | sed 's/^/  alert: /'
runs=$(wc -l <"$work/tasks")
figure "5 steps of the clock by an hour, $kills kills of the leader, the database stopped for $((3 * period + 1)) s: one row for each instant (${summary# } ${period} s apart), $runs fired, each with one run and one mark; no step changed the leader or lost an attempt"
