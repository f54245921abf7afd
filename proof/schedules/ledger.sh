#!/usr/bin/env bash
# Triggers are paused, changed, renamed and deleted while instants are due: each instant has one row that explains it.
# takes: about 3 min
#
# Three workflows go through the same changes, one for each policy of `missed`. The expected instants are all whole seconds (or every
# second one) between the changes; the times of the changes are those of the database. Two leaders are killed in between.
. "$(dirname "$0")/../lib.sh"

policies="fire_all fire_once skip"
start_cluster --replicas 2 --agents 0

ask() { # like call, but asks the other replica when one is away
  local url
  for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do
    curl -sf -m 10 -H "Authorization: Bearer $(cat "$cluster/token")" "$url$1" "${@:2}" && return
  done
  return 1
}

register() { # register TRIGGERS: the same triggers for each workflow, with its policy
  local policy
  for policy in $policies; do
    printf 'name: w-%s\ntriggers: %s\ntasks: [{name: a, wait: {for: 1ms}}]\n' "$policy" "${1//POLICY/$policy}" >"$work/w.yaml"
    ask /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/w.yaml" >/dev/null || fail "the workflow is not accepted"
  done
}

steer() { # steer PATH: of each workflow
  local policy
  for policy in $policies; do ask "/api/v1/workflows/w-$policy/$1" -X POST >/dev/null || fail "$1 is refused"; done
}

kill_leader() {
  local leader
  leader=$(ask /api/v1/info | field leader)
  kill -9 "$(pid_of "$leader")"
  belay cluster start --dir "$cluster" --replica "${leader##*-}" >/dev/null 2>&1 || fail "$leader does not start again"
}

register "[{name: tick, every: 1s, missed: POLICY}]"
sleep 5.3
steer triggers/tick/pause
sleep 5.7
steer triggers/tick/resume
sleep 3.1
steer pause
sleep 4.4
kill_leader
sleep 3.2
steer resume
sleep 3.9
register "[{name: tick, every: 2s, missed: POLICY}]" # another expression
sleep 6.2
register "[{name: tock, every: 1s, missed: POLICY}]" # another name
sleep 4.6
register "[]" # dropped
sleep 3.3
register "[{name: tock, every: 1s, missed: POLICY}, {cron: '*/1 * * * * *', missed: POLICY}]" # added again, and one whose name is its expression
sleep 2.8
steer triggers/cron%20%2A%2F1%20%2A%20%2A%20%2A%20%2A%20%2A/pause # still paused when its workflow is deleted
kill_leader
sleep 4.5
ask /api/v1/apply -H 'Content-Type: application/json' --data '{"files": [{"file": "other.yaml",
  "source": "name: other\ntasks: [{name: a, wait: {for: 1ms}}]"}], "prune": "delete"}' >/dev/null || fail "the apply is refused"

decided() { [ "$(sql "SELECT count(*) FROM trigger_version WHERE due_at IS NOT NULL")" = 0 ]; }
wait_for 60 decided || fail "some instants are not decided"

rows="trigger t JOIN fire f ON f.trigger_id = t.id"
read -r expected missing extra < <(sql "
  WITH version AS (
    SELECT trigger_id, name, from_at, until_at, CASE WHEN name = 'tick' AND row_number() OVER (PARTITION BY trigger_id ORDER BY from_at) = 2
           THEN 2 ELSE 1 END AS period
    FROM trigger JOIN trigger_version ON trigger_id = trigger.id
  ), expected AS (
    SELECT trigger_id, at
    FROM version, generate_series(date_trunc('second', from_at), until_at, interval '1 s') AS at
    WHERE at > from_at AND CAST(extract(epoch FROM at) AS bigint) % period = 0
  )
  SELECT (SELECT count(*) FROM expected),
         (SELECT count(*) FROM (SELECT trigger_id, at FROM expected EXCEPT SELECT trigger_id, at FROM fire) AS a),
         (SELECT count(*) FROM fire) - (SELECT count(*) FROM (SELECT trigger_id, at FROM fire INTERSECT SELECT trigger_id, at FROM expected) AS b)")
[ "$expected" -gt 100 ] || fail "only $expected instants"
[ "$missing" = 0 ] || fail "$missing of $expected instants have no row"
[ "$extra" = 0 ] || fail "$extra rows are of no instant"

# A row that fired has its own run, of its instant, and no other run exists.
[ "$(sql "SELECT count(*) FROM fire LEFT JOIN run ON run.id = run_id AND run.trigger_id = fire.trigger_id AND logical_date = at
  WHERE outcome = 'fired' AND run.id IS NULL")" = 0 ] || fail "a row has no run"
[ "$(sql "SELECT count(*) FROM run LEFT JOIN fire ON run_id = run.id WHERE fire.at IS NULL")" = 0 ] || fail "a run has no row"
# A row that coalesced names a later one that fired.
[ "$(sql "SELECT count(*) FROM fire f LEFT JOIN fire i ON i.trigger_id = f.trigger_id AND i.at = f.into_at AND i.at > f.at AND i.outcome = 'fired'
  WHERE f.outcome = 'coalesced' AND i.at IS NULL")" = 0 ] || fail "a row coalesced into none"

unexplained() { sql "SELECT count(*) FROM $rows WHERE workflow = 'w-$1' AND NOT ($2)"; }
dropped="name LIKE 'cron%' AND outcome = 'skipped' AND reason = 'trigger_paused'" # nobody resumed it
[ "$(unexplained fire_all "outcome = 'fired' OR $dropped")" = 0 ] || fail "fire_all: an instant did not fire"
[ "$(unexplained fire_once "outcome IN ('fired', 'coalesced') OR $dropped")" = 0 ] || fail "fire_once: an instant did not fire and is in no other"
[ "$(unexplained skip "outcome = 'fired' OR outcome = 'skipped' AND reason IN ('paused', 'trigger_paused')")" = 0 ] || fail "skip: an instant is not explained"
counts=$(sql "SELECT string_agg(n || ' ' || what, ', ' ORDER BY what) FROM (SELECT count(*) AS n, concat_ws(' ', outcome, reason) AS what
  FROM fire GROUP BY 2) AS c")
case $counts in *coalesced*fired*skipped\ paused*skipped\ trigger_paused*) ;; *) fail "not every outcome occurred: $counts" ;; esac

# The API shows the same rows.
shown=0
for policy in $policies; do
  cursor=
  while :; do
    page=$(ask "/api/v1/workflows/w-$policy/fires?limit=100$cursor") || fail "the ledger cannot be read"
    shown=$((shown + $(grep -o '"decided_at"' <<<"$page" | wc -l)))
    next=$(field next <<<"$page")
    [ "$next" != null ] && [ -n "$next" ] || break
    cursor="&cursor=$next"
  done
done
[ "$shown" = "$expected" ] || fail "the API shows $shown of $expected rows"
figure "$expected instants, one row each: $counts; two leaders killed"
