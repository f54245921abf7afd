#!/usr/bin/env bash
# Periodic jobs run once a period on one of three replicas, while their holders are killed and frozen.
# takes: about 4 min
#
# Triggers in the database record every change of a lease, and which replica removes each task: they are the ground truth.
# For 2 minutes the holder of `retention` is killed (kill -9) or frozen (SIGSTOP, for three times the ttl) again and again. No lease
# has two holders at once, no period is done twice, and a frozen holder that wakes removes nothing.
. "$(dirname "$0")/../lib.sh"

export BELAY_TASK_RETENTION=1s BELAY_CLEAN_INTERVAL=5s BELAY_JOB_LEASE_TTL=3s BELAY_RETENTION_BATCH=2 BELAY_RETENTION_SHARE=0.02
start_cluster --replicas 3 --agents 1 --slots 8

urls() { grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4; }
use_another() { api=$(urls | shuf -n 1); }
ask_info() { curl -s -m 2 -H "Authorization: Bearer $(cat "$cluster/token")" "$api/api/v1/info" || true; }
holder() { # the replica that runs the job, or nothing
  ask_info | tr -d '\n ' | { grep -oE "\"name\":\"$1\",\"holder\":\"[^\"]*" || true; } | cut -d'"' -f8
}

sql "CREATE TABLE lease_audit (number bigserial, at timestamptz, name text, old_token bigint, new_token bigint, old_holder text,
       new_holder text, old_expires timestamptz, old_due timestamptz, new_due timestamptz, outcome text, done boolean)" \
  "CREATE FUNCTION audit_lease() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
     INSERT INTO lease_audit (at, name, old_token, new_token, old_holder, new_holder, old_expires, old_due, new_due, outcome, done)
     VALUES (clock_timestamp(), new.name, old.token, new.token, old.holder, new.holder, old.expires_at, old.next_due_at,
             new.next_due_at, new.outcome, new.done_at IS DISTINCT FROM old.done_at);
     RETURN new; END \$\$" \
  "CREATE TRIGGER audit AFTER UPDATE ON job_lease FOR EACH ROW EXECUTE FUNCTION audit_lease()" \
  "CREATE TABLE removal_audit (at timestamptz, by text, holder text)" \
  "CREATE FUNCTION audit_removal() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
     INSERT INTO removal_audit SELECT clock_timestamp(), current_setting('application_name'), 'belay ' || holder
     FROM job_lease WHERE name = 'retention';
     RETURN old; END \$\$" \
  "CREATE TRIGGER audit AFTER DELETE ON task FOR EACH ROW EXECUTE FUNCTION audit_removal()"

{ printf '{"tasks": [{"command": ["/bin/true"]}'; for _ in {1..19}; do printf ', {"command": ["/bin/true"]}'; done; printf ']}'; } >"$work/body"
feed() { # a load that never ends, so that every run has something to remove
  while :; do
    use_another
    call /api/v1/tasks -f -H 'Content-Type: application/json' --data-binary "@$work/body" >/dev/null || true
    sleep 1
  done
}
feed &
started_pids+=($!)

running() { [ -n "$(holder retention)" ] || { use_another; return 1; }; }
wait_for 60 running || fail "no replica runs the job retention: $(ask_info)"

echo "2 minutes, in which the holder is killed or frozen"
from=$(now)
kills=0 freezes=0 dead=
while awk -v since="$(since "$from")" 'BEGIN { exit !(since < 120) }'; do
  held=$(holder retention)
  if [ -z "$held" ]; then
    use_another
    sleep 0.1
    continue
  fi
  number=${held##*-}
  victim=$(pid_of "replica-$number")
  # At most one is dead at a time: three replicas stay a cluster.
  if [ "$kills" -le "$freezes" ] && { [ -z "$dead" ] || alive "$(pid_of "$dead")"; }; then
    kill -9 "$victim"
    dead=$held
    kills=$((kills + 1))
    belay cluster start --dir "$cluster" --replica "$number" >/dev/null 2>&1 &
    started_pids+=($!)
    use_another
    sleep 5
  else
    kill -STOP "$victim" 2>/dev/null || continue
    freezes=$((freezes + 1))
    sleep 9
    kill -CONT "$victim"
    sleep 2
  fi
done
[ "$kills" -ge 2 ] && [ "$freezes" -ge 2 ] || fail "only $kills kills and $freezes freezes"
sleep 12

scrape() { urls | while read -r each; do curl -s -m 5 -H "Authorization: Bearer $(cat "$cluster/token")" "$each/metrics" || true; done; }
given_up=$(scrape | awk '/^belay_job_runs_total.*outcome="(lost|abandoned)"/ { sum += $NF } END { print sum + 0 }')

count() { sql "SELECT count(*) FROM $1"; }
both=$(count "lease_audit WHERE new_token > old_token AND old_holder IS NOT NULL AND old_expires > at")
[ "$both" = 0 ] || fail "$both times a lease was acquired while another replica held it"
jumps=$(count "lease_audit WHERE new_holder IS DISTINCT FROM old_holder AND new_holder IS NOT NULL AND new_token <> old_token + 1")
[ "$jumps" = 0 ] || fail "$jumps acquisitions without a new token"
twice=$(count "(SELECT name, old_due FROM lease_audit WHERE done GROUP BY name, old_due HAVING count(*) > 1) AS twice")
[ "$twice" = 0 ] || fail "$twice periods were done twice"
early=$(count "lease_audit WHERE done AND new_due <= at")
[ "$early" = 0 ] || fail "$early runs did not move the next one behind their end"
strange=$(count "removal_audit WHERE by IS DISTINCT FROM holder")
[ "$strange" = 0 ] || fail "$strange tasks were removed by a replica that did not hold the lease"
removed=$(count removal_audit)
[ "$removed" -gt 20 ] || fail "only $removed tasks were removed"
takeovers=$(count "lease_audit WHERE name = 'retention' AND new_token > old_token AND old_holder IS NOT NULL")
[ "$takeovers" -ge 4 ] || fail "only $takeovers takeovers"
[ "$given_up" -ge 1 ] || fail "no frozen replica noticed that it had lost its lease"
# The periods of `clean`, a short job: each run begins a new one, and a dead holder delays a run by less than two periods.
sql "SELECT count(*), coalesce(max(gap), 0), sum(skipped) FROM (
       SELECT extract(epoch FROM at - lag(at) OVER (ORDER BY number)) AS gap,
              round(extract(epoch FROM new_due - old_due) / 5) - 1 AS skipped
       FROM lease_audit WHERE name = 'clean' AND done) AS done" >"$work/clean"
read -r runs gap skipped <"$work/clean"
below "$gap" 25 "seconds between two runs of clean"
figure "$kills killed and $freezes frozen holders: $takeovers takeovers, never two holders, no period twice; $removed tasks removed, none by a replica without the lease, $given_up runs given up by woken replicas; clean ran in $runs periods ($skipped skipped, longest gap $gap s)"
