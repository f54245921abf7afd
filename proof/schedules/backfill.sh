#!/usr/bin/env bash
# A backfill runs each of 2,000 days once while leaders are killed; a cancelled one starts no run after its answer.
# takes: about 8 min
#
# Three replicas. The leader is killed (-9) twice, so two leaders follow each other, and the backfill is paused and resumed. Each run
# writes a mark with its day. A trigger of another workflow fires every second meanwhile; it is never later than 1 s, except in the
# seconds in which nobody leads. A second backfill is cancelled in the middle: the history shows no start of a run after the answer.
. "$(dirname "$0")/../lib.sh"

days=${BELAY_PROOF_DAYS:-2000}
concurrency=10
late_max=1000 # ms
takeover=15   # seconds after a kill that are not judged: the next leader may need them

start_cluster --replicas 3 --agents 1 --slots 12

ask() { # of any replica
  local url
  for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do
    curl -sf -m 20 -H "Authorization: Bearer $(cat "$cluster/token")" "$url$1" "${@:2}" && return
  done
  return 1
}

send() { ask "$1" -H 'Content-Type: application/json' --data-binary "$2"; } # send PATH JSON

register() { # register NAME: the file is on stdin
  cat >"$work/$1.yaml"
  ask /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/$1.yaml" >"$work/answer" || fail "$1 is not accepted"
}

register live <<'END'
name: live
triggers: [{name: second, every: 1s, missed: fire_all}]
tasks: [{name: moment, wait: {for: 10ms}}]
END
register daily <<END
name: daily
triggers: [{name: midnight, cron: "0 0 * * *"}]
run: {max_active: 1}
params: {day: {type: string, default: "\${{ run.logical_date }}"}}
tasks:
  - name: mark
    command: [/bin/sh, -c, 'echo "\$DAY \$BELAY_RUN_ID" >> $work/ran; sleep 0.5']
    env: {DAY: "\${{ params.day }}"}
END
touch "$work/ran"
chmod 666 "$work/ran"

from=2020-01-01
to=$(date -u -d "$from + $days days" +%F)

# ---- 1: the dry run lists the days, and starts nothing

send /api/v1/workflows/daily/backfills "{\"from\": \"$from\", \"to\": \"$to\", \"dry_run\": true, \"limit\": 1}" >"$work/answer" || fail "no dry run"
[ "$(field total <"$work/answer")" = "$days" ] || { cat "$work/answer"; fail "the dry run does not count $days days"; }

# ---- 2: the backfill, paused, resumed, and under three leaders

send /api/v1/workflows/daily/backfills "{\"from\": \"$from\", \"to\": \"$to\", \"concurrency\": $concurrency}" >"$work/answer" || { cat "$work/answer"; fail "no backfill"; }
backfill=$(field id <"$work/answer")
began=$(now)
progress() { ask "/api/v1/backfills/$backfill" | field fired; }
decided() { [ "$(progress || echo 0)" -ge "$1" ]; } # decided N: N days have a run
state_is() { [ "$(ask "/api/v1/backfills/$backfill" | field state)" = "$1" ]; }

wait_for 300 decided $((days / 5)) || fail "the backfill does not advance"
send "/api/v1/backfills/$backfill/pause" '{}' >/dev/null || fail "no pause"
paused=$(progress)
sleep 5
[ "$(progress)" = "$paused" ] || fail "a paused backfill created runs: $paused before, $(progress) after"
send "/api/v1/backfills/$backfill/resume" '{}' >/dev/null || fail "no resume"
echo "paused at $paused of $days days for 5 s"

kills=
for part in 2 3; do
  wait_for 600 decided $((days * part / 5)) || fail "the backfill does not advance"
  leader=$(ask /api/v1/info | field leader)
  reached=$(progress)
  kills="$kills $(now)"
  kill -9 "$(pid_of "$leader")"
  [ "$reached" -lt "$days" ] || fail "it was over before the leader was killed"
  echo "killed the leader $leader at $reached days"
  decided $((reached + 1)) || wait_for 60 decided $((reached + 1)) || fail "no other leader goes on"
  belay cluster start --dir "$cluster" --replica "${leader##*-}" >"$work/start.log" 2>&1 || { cat "$work/start.log"; fail "$leader does not start again"; }
done
wait_for 1200 state_is COMPLETED || { ask "/api/v1/backfills/$backfill"; fail "the backfill does not end"; }
took=$(since "$began")

# ---- 3: each day once, never more than its concurrency

for ((day = 0; day < days; day++)); do echo "$day"; done |
  awk -v from="$(date -u -d "$from" +%s)" '{ print strftime("%Y-%m-%dT00:00:00Z", from + $1 * 86400, 1) }' >"$work/expected" 2>/dev/null ||
  seq 0 $((days - 1)) | xargs -I{} date -u -d "$from + {} days" +%FT00:00:00Z >"$work/expected"
cut -d' ' -f1 "$work/ran" | sort >"$work/days"
sort "$work/expected" | diff - "$work/days" >"$work/diff" || { head -n 5 "$work/diff"; fail "the marks are not one for each day"; }
rows=$(sql "SELECT count(*) || ' ' || count(DISTINCT at) || ' ' || count(DISTINCT run_id) FROM backfill_fire WHERE backfill_id = '$backfill' AND outcome = 'fired'")
[ "$rows" = "$days $days $days" ] || fail "decisions, instants and runs: $rows"
[ "$(sql "SELECT count(*) FROM run WHERE backfill_id = '$backfill' AND state = 'SUCCEEDED'")" = "$days" ] || fail "not all runs succeeded"
most=$(sql "SELECT max(open) FROM (SELECT sum(step) OVER (ORDER BY at, step) AS open FROM (SELECT created_at AS at, 1 AS step FROM run WHERE backfill_id = '$backfill' UNION ALL SELECT ended_at, -1 FROM run WHERE backfill_id = '$backfill') steps) opens")
[ "$most" -le "$concurrency" ] || fail "$most of its runs were open at a time, not $concurrency"
echo "$days days, each once, at most $most open at a time, in $took s"

# ---- 4: the live schedule meanwhile

judged=
for kill in $kills; do judged="$judged AND f.due_at NOT BETWEEN to_timestamp($kill) - interval '1 second' AND to_timestamp($kill) + interval '$takeover seconds'"; done
lateness=$(sql "SELECT coalesce(round(extract(epoch FROM max(f.decided_at - f.due_at)) * 1000), 0) || ' ' || count(*)
  FROM fire f JOIN trigger t ON t.id = f.trigger_id JOIN backfill b ON b.id = '$backfill'
  WHERE t.workflow = 'live' AND f.outcome = 'fired' AND f.due_at > b.created_at AND f.due_at < b.ended_at $judged")
late=${lateness% *}
[ "${lateness#* }" -gt 10 ] || fail "the live schedule hardly fired: $lateness"
[ "$late" -le "$late_max" ] || fail "the live schedule was $late ms late"
missing=$(sql "SELECT count(*) FROM backfill b, generate_series(date_trunc('second', b.created_at) + interval '1 second', b.ended_at - interval '1 second', interval '1 second') AS at
  WHERE b.id = '$backfill' AND NOT EXISTS (SELECT FROM fire f JOIN trigger t ON t.id = f.trigger_id WHERE t.workflow = 'live' AND f.at = at.at AND f.outcome = 'fired')")
[ "$missing" = 0 ] || fail "$missing seconds have no run of the live schedule"
echo "the live schedule fired every second, was judged ${lateness#* } times, and was at most $late ms late"

# ---- 5: a cancel

send /api/v1/workflows/daily/backfills "{\"from\": \"$from\", \"to\": \"$to\", \"concurrency\": $concurrency, \"existing\": \"all\"}" >"$work/answer" || fail "no second backfill"
backfill=$(field id <"$work/answer")
wait_for 120 decided 50 || fail "the second backfill does not advance"
send "/api/v1/backfills/$backfill/cancel" '{}' >"$work/answer" || fail "no cancel"
answered=$(now) # the database is on the same machine
sleep 10
after=$(sql "SELECT count(*) FROM run_history h JOIN run r ON r.id = h.run_id WHERE r.backfill_id = '$backfill' AND h.to_state = 'RUNNING' AND h.at > to_timestamp($answered)")
started=$(sql "SELECT count(*) FROM run_history h JOIN run r ON r.id = h.run_id WHERE r.backfill_id = '$backfill' AND h.to_state = 'RUNNING'")
[ "$after" = 0 ] || fail "$after runs started after the answer to the cancel"
[ "$(sql "SELECT count(*) FROM run WHERE backfill_id = '$backfill' AND state IN ('QUEUED', 'RUNNING')")" = 0 ] || fail "its runs do not end"
[ "$started" -lt "$days" ] || fail "it was over before the cancel"
figure "$days days, each once, in $took s with 2 leaders killed; live schedule at most $late ms late; $started runs started before the cancel, 0 after it"
