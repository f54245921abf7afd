#!/usr/bin/env bash
# Five tasks and runs that nothing would touch again leave their states by a recovery rule.
# takes: about 3 min
#
# They are: a dispatch to a worker that never existed, a dispatch without any heartbeat, an approval without an answer, a run
# that was left half created, and a run that waits without a mark.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 1 --agents 1 --slots 10
cat >"$work/half.yaml" <<END
name: half
tasks:
  - {name: first, command: [/bin/sh, -c, "true"], pool: nobody}
  - {name: second, command: [/bin/sh, -c, "true"], pool: nobody, depends_on: [first]}
END
belay_home=$cluster
half() { BELAY_HOME=$belay_home belay "$@"; }
half register "$work/half.yaml" >/dev/null
run=$(half trigger half -o json | field id)
half pause half >/dev/null
queued=$(half trigger half -o json | field id)
# They wait in a pool without a worker, until the SQL below puts them into the states that a crash could leave.
id() { submit_tasks 1 'm start; m end' ', "pool": "nobody"'; }
never_existed=$(id)
never_reported=$(id)
unanswered=$(id)
wait_for 10 are_in SCHEDULED 4 || fail "the number of SCHEDULED tasks is not 4"

sql "UPDATE task SET state = 'DISPATCHED', reason = 'claimed', pool = 'default', dispatch_id = gen_random_uuid(), fencing_token = 1, epoch = 1,
       worker_id = gen_random_uuid(), session_id = gen_random_uuid(), dispatched_at = now() - interval '4 min', state_since = now() - interval '4 min'
     WHERE id = '$never_existed'" \
  "INSERT INTO worker (id, name, pools, slots, labels, version, platform, session_id, connection, replica, state, started_at, connected_at, last_seen_at)
     VALUES (gen_random_uuid(), 'mute', '{mute}', 1, '{}', '0', 'none', gen_random_uuid(), 1, 'nobody', 'CONNECTED', now() - interval '5 min', now() - interval '5 min', now() - interval '5 min')" \
  "UPDATE task SET state = 'DISPATCHED', reason = 'claimed', pool = 'default', dispatch_id = gen_random_uuid(), fencing_token = 1, epoch = 1,
       worker_id = worker.id, session_id = worker.session_id, dispatched_at = now() - interval '4 min', state_since = now() - interval '4 min'
     FROM worker WHERE worker.name = 'mute' AND task.id = '$never_reported'" \
  "UPDATE task SET state = 'APPROVAL_REQUIRED', reason = 'approval', state_since = now() - interval '8 days' WHERE id = '$unanswered'" \
  "UPDATE task SET state = 'WAITING', pool = 'default', state_since = now() - interval '6 min', dispatched_at = NULL WHERE run_id = '$run'" \
  "DELETE FROM mark" \
  "UPDATE run SET started_at = now() - interval '6 min', created_at = now() - interval '6 min' WHERE id = '$run'" \
  "UPDATE workflow_control SET paused_at = NULL, paused_by = NULL WHERE name = 'half'" \
  "UPDATE run SET reason = NULL, created_at = now() - interval '6 min' WHERE id = '$queued'"
begun=$(now)

state_of() { call "/api/v1/tasks/$1" | field state; }
is() { [ "$(state_of "$1")" = "$2" ]; }
# The leader gives nothing up in the first 30 s after an election.
wait_for 60 is "$never_existed" SUCCEEDED || fail "the dispatch to a worker that never existed is $(state_of "$never_existed")"
# Its silence counts from the start of the cluster: no replica could have written a heartbeat before.
wait_for 150 is "$never_reported" SUCCEEDED || fail "the dispatch without a heartbeat is $(state_of "$never_reported")"
wait_for 60 is "$unanswered" DENIED || fail "the approval is $(state_of "$unanswered")"
run_is() { [ "$(call "/api/v1/runs/$1" | field state)" = "$2" ]; }
wait_for 60 run_is "$run" SUCCEEDED || fail "the half-created run is $(call "/api/v1/runs/$run" | field state)"
# The leader creates its tasks now, in the pool without a worker.
wait_for 60 run_is "$queued" RUNNING || fail "the unmarked run is $(call "/api/v1/runs/$queued" | field state)"
took=$(since "$begun")
reasons() { sql "SELECT DISTINCT reason FROM history WHERE task_id = '$1' AND at > now() - interval '3 min'" | tr '\n' ' '; }
case " $(reasons "$never_existed") " in *worker_gone* | *dispatch_lost*) ;; *) fail "the dispatch to a worker that never existed: $(reasons "$never_existed")" ;; esac
case " $(reasons "$never_reported") " in *agent_lost* | *dispatch_lost*) ;; *) fail "the dispatch without a heartbeat: $(reasons "$never_reported")" ;; esac
case " $(reasons "$unanswered") " in *approval_expired*) ;; *) fail "the approval: $(reasons "$unanswered")" ;; esac
twice end
figure "all five left their states within $took s: $(sql "SELECT string_agg(kind || ' ' || n, ', ') FROM (SELECT kind, count(*) AS n FROM recovery GROUP BY kind ORDER BY kind) AS k")"
