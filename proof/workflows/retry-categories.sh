#!/usr/bin/env bash
# Each category of failures waits by its own schedule; what stays unavailable ends BLOCKED and runs when unblocked.
# takes: about 3 min
#
# The schedules are shortened. The waits are read from the history: from PENDING to SCHEDULED.
. "$(dirname "$0")/../lib.sh"

late_max=${BELAY_PROOF_LATE_S:-2}
export BELAY_CRASH_WAITS=1s,4s BELAY_UNAVAILABLE_WAITS=2s,5s
start_cluster --replicas 1 --agents 1 --slots 8
export BELAY_HOME=$cluster

submit() { call /api/v1/tasks -H 'Content-Type: application/json' --data-binary "$1" | field id; }
state() { call "/api/v1/tasks/$1" | field state; }
is() { [ "$(state "$1")" = "$2" ]; }
waits() { # the waits of a task before its retries, in seconds, with spaces between
  sql "SELECT coalesce(string_agg(round(gap, 2)::text, ' ' ORDER BY id), 'none')
       FROM (SELECT id, to_state, extract(epoch FROM lead(at) OVER (ORDER BY id) - at) AS gap
             FROM history WHERE task_id = '$1') AS steps
       WHERE to_state = 'PENDING' AND gap IS NOT NULL"
}
waited() { # waited NAME TASK SCHEDULE: as long as that, or a little longer on a busy machine
  local found
  found=$(waits "$2")
  echo "$1 waited $found s"
  awk -v found="$found" -v wanted="$3" -v late="$late_max" 'BEGIN {
    if (split(found, f, " ") != split(wanted, w, " ")) exit 1
    if (wanted == "none") exit found == "none" ? 0 : 1
    for (i in w) if (f[i] < w[i] - 0.05 || f[i] > w[i] + late) exit 1
  }' || fail "$1 waited $found s and not $3 s"
}

error=$(submit '{"command": ["sh", "-c", "exit 1"], "retry": {"max": 2, "backoff": {"initial": "1s", "factor": 3, "jitter": false}}}')
crash=$(submit '{"command": ["sh", "-c", "kill -9 $$"], "retry": {"on": {"crash": {"max": 3}}}}')
unavailable=$(submit '{"command": ["sh", "-c", "exit $((BELAY_ATTEMPT < 5 ? 75 : 0))"], "exit_codes": {"75": "unavailable"},
  "retry": {"on": {"unavailable": {"max": 3}}}}')
picky=$(submit '{"command": ["sh", "-c", "exit 3"], "retry": {"max": 9, "if": "${{ exit_code != 3 }}"}}')
wait_for 60 is "$error" FAILED || fail "the error does not end: $(state "$error")"
wait_for 60 is "$crash" FAILED || fail "the crash does not end: $(state "$crash")"
wait_for 60 is "$unavailable" BLOCKED || fail "the unavailable is not BLOCKED: $(state "$unavailable")"
wait_for 60 is "$picky" FAILED || fail "retry.if does not end the task: $(state "$picky")"
waited error "$error" "1 3"
waited crash "$crash" "1 4 4"
waited unavailable "$unavailable" "2 5 5"
waited picky "$picky" none
call "/api/v1/tasks/$picky" | grep -q 'retry.if is false' || fail "the reason does not name retry.if"

lost=$(submit '{"command": ["sleep", "600"], "retry": {"on": {"lost": {"max": 2}}}}')
for attempt in 1 2 3; do
  runs() { is "$lost" RUNNING && [ "$(call "/api/v1/tasks/$lost" | field attempts)" = "$attempt" ]; }
  wait_for 60 runs || fail "attempt $attempt of the lost task does not run: $(state "$lost")"
  kill -9 "$(pid_of agent-1)"
  belay cluster start --dir "$cluster" --agent 1 >/dev/null
done
wait_for 60 is "$lost" FAILED || fail "the lost task does not end: $(state "$lost")"
waited lost "$lost" "0 1"

belay unblock "$unavailable" --note "it is back" >/dev/null || fail "the task cannot be unblocked"
wait_for 30 is "$unavailable" SUCCEEDED || fail "the unblocked task does not succeed: $(state "$unavailable")"
sql "SELECT reason || ' by ' || actor FROM history WHERE task_id = '$unavailable'" | grep -q 'unblocked: it is back by' ||
  fail "the history does not name who unblocked it"
figure "waits by category: error 1 3, crash 1 4 4, unavailable 2 5 5 and then BLOCKED, lost 0 1 s; retry.if ended a task at once; the unblocked task succeeded"
