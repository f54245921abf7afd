#!/usr/bin/env bash
# run.timeout, run.deadline and expect_by act once, also when the leader dies; a task that ignores SIGTERM ends.
# takes: about 3 min
#
# Three replicas and an agent with two slots. The leader is killed with -9 half a second before a timeout, half a second before a deadline, and
# again once the next leader has raised its alerts; each time it is started again.
. "$(dirname "$0")/../lib.sh"

late_max=${BELAY_PROOF_TIMEOUT_S:-10} # from the timeout to the end of the run: a grace of 1 s, and the worker's report
start_cluster --replicas 3 --agents 1 --slots 2

ask() { # ask PATH ARGS: any replica that answers
  local url
  for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do
    curl -sf -m 10 -H "Authorization: Bearer $(cat "$cluster/token")" "$url$1" "${@:2}" && return
  done
}
register() { ask /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "$1" >/dev/null || fail "this workflow is not accepted: $1"; }
trigger() { ask "/api/v1/workflows/$1/runs" -H 'Content-Type: application/json' --data '{}' | field id; }
run_is() { [ "$(ask "/api/v1/runs/$1" | field state)" = "$2" ]; }
value() { sql "$@" | tr -d ' '; }
leader() { ask /api/v1/info | field leader; }
kill_leader() { # kill_leader [TIME]: at that time, or now
  local leader pid
  leader=$(leader)
  pid=$(pid_of "$leader")
  [ -z "${1-}" ] || sleep "$(awk -v at="$1" -v now="$(now)" 'BEGIN { print (at > now ? at - now : 0) }')"
  kill -9 "$pid"
  killed_at=$(now)
  echo "  killed $leader"
  belay cluster start --dir "$cluster" --replica "${leader##*-}" >/dev/null 2>&1 || fail "$leader does not start again"
}
time_of() { date -d "$(ask "/api/v1/runs/$1" | field "$2")" +%s.%N; } # time_of RUN FIELD: in seconds
late_of() { awk -v end="$(time_of "$1" ended_at)" -v due="$(time_of "$1" timeout_at)" 'BEGIN { printf "%.2f", end - due }'; }
half_a_second_before() { awk -v at="$1" 'BEGIN { printf "%.3f", at - 0.5 }'; }

# A task that ignores SIGTERM, with retries that it must not get.
register "name: stubborn
run: {timeout: 5s}
tasks:
  - name: load
    script: |
      trap '' TERM
      echo \"start \$BELAY_FENCE\" >> $work/stubborn
      while :; do sleep 1; done
    stop_grace: 1s
    retry: {max: 3}
  - {name: after, command: ['true'], depends_on: [load]}"

timed_out() { # timed_out RUN: it ended once, for its timeout
  wait_for 60 run_is "$1" FAILED || fail "the run is $(ask "/api/v1/runs/$1" | field state)"
  [ "$(ask "/api/v1/runs/$1" | field reason)" = run_timeout ] || fail "the run failed for $(ask "/api/v1/runs/$1" | field reason)"
  [ "$(value "SELECT count(*) FROM run_history WHERE run_id = '$1' AND to_state = 'FAILED'")" = 1 ] || fail "the run ended twice"
  [ "$(value "SELECT count(*) FROM task WHERE run_id = '$1' AND state = 'TIMEOUT' AND reason = 'run_timeout' AND fencing_token <= 1")" = 2 ] ||
    fail "the tasks are $(sql "SELECT name, state, reason, fencing_token FROM task WHERE run_id = '$1'")"
}

run=$(trigger stubborn)
timed_out "$run"
quiet=$(late_of "$run")
echo "  timeout: the run ended $quiet s after it"
below "$quiet" "$late_max" "seconds from the timeout to the end of the run"

run=$(trigger stubborn)
wait_for 30 run_is "$run" RUNNING || fail "the run does not start"
due=$(time_of "$run" timeout_at)
kill_leader "$(half_a_second_before "$due")"
below "$killed_at" "$due" "the time at which the leader was killed"
timed_out "$run"
killed=$(late_of "$run")
echo "  timeout with the leader killed before it: the run ended $killed s after it"
[ "$(wc -l <"$work/stubborn")" = 2 ] || fail "the task started $(wc -l <"$work/stubborn") times, not twice"

# Two of these runs hold the slots, the others wait for them.
register "name: overdue
run: {deadline: 20s}
tasks: [{name: load, command: [sleep, '600'], stop_grace: 1s}]"
runs=()
for _ in 1 2 3 4 5; do runs+=("$(trigger overdue)"); done
overdue() { value "SELECT count(*) FROM alert WHERE kind = 'run_deadline'"; }
all_overdue() { [ "$(overdue)" -ge 5 ]; }
wait_for 30 run_is "${runs[4]}" RUNNING || fail "the runs do not start"
due=$(time_of "${runs[0]}" deadline_at)
kill_leader "$(half_a_second_before "$due")"
below "$killed_at" "$due" "the time at which the leader was killed"
wait_for 60 all_overdue || fail "$(overdue) of 5 runs have an alert"
kill_leader
has_leader() { [ -n "$(leader)" ]; }
wait_for 60 has_leader || fail "nobody leads"
sleep 15
[ "$(value "SELECT count(*) FROM run WHERE deadline_alerted_at < deadline_at")" = 0 ] || fail "an alert came before the deadline"
[ "$(overdue)" = 5 ] || fail "there are $(overdue) alerts for 5 runs"
for run in "${runs[@]}"; do
  [ "$(value "SELECT count(*) FROM alert WHERE kind = 'run_deadline' AND detail LIKE '%$run%'")" = 1 ] || fail "run $run has not one alert"
done
sql "SELECT detail FROM alert WHERE kind = 'run_deadline' ORDER BY id" | sed 's/^/  /'
[ "$(value "SELECT count(*) FROM alert WHERE kind = 'run_deadline' AND detail LIKE '%on worker%'")" = 2 ] || fail "two alerts should name the worker"
[ "$(value "SELECT count(*) FROM alert WHERE kind = 'run_deadline' AND detail LIKE '%slots of pool default are busy%'")" = 3 ] ||
  fail "three alerts should say that the slots are busy"
for run in "${runs[@]}"; do ask "/api/v1/runs/$run/cancel" -X POST >/dev/null || fail "run $run is not cancelled"; done
for run in "${runs[@]}"; do wait_for 60 run_is "$run" CANCELLED || fail "run $run is not cancelled"; done

# The time of day 25 s from now, and in between a run of each that succeeds or fails.
at=$(date -u -d '+25 seconds' +%H:%M:%S)
for name in present missing; do
  register "name: $name
run: {expect_by: \"$at UTC\"}
tasks: [{name: load, command: ['$([ $name = present ] && echo true || echo false)']}]"
done
present=$(trigger present)
missing=$(trigger missing)
wait_for 20 run_is "$present" SUCCEEDED || fail "the run of present did not succeed in time"
wait_for 20 run_is "$missing" FAILED || fail "the run of missing did not fail in time"
checks() { value "SELECT count(*) FROM fire WHERE outcome = 'checked'"; }
checked() { [ "$(checks)" = 2 ]; }
wait_for 60 checked || fail "$(checks) of 2 workflows were checked"
why() { sql "SELECT f.reason FROM fire f JOIN trigger t ON t.id = f.trigger_id WHERE t.workflow = '$1' AND f.outcome = 'checked'"; }
[ "$(why present)" = "met: $present" ] || fail "present: $(why present)"
[ "$(why missing)" = missing ] || fail "missing: $(why missing)"
[ "$(value "SELECT count(*) FROM alert WHERE kind = 'run_missing'")" = 1 ] || fail "there is not one alert about a missing run"
sql "SELECT detail FROM alert WHERE kind = 'run_missing'" | sed 's/^/  /'
sql "SELECT detail FROM alert WHERE kind = 'run_missing'" | grep -q "workflow missing .*$missing is FAILED" || fail "the alert does not name the newest run"

lateness=$(ask /api/v1/lateness)
of_promise() { tr -d '\n ' <<<"$lateness" | grep -oE "\{\"promise\":\"$1\"[^{}]*\}" | field broken; }
[ "$(of_promise timeout) $(of_promise deadline) $(of_promise expect_by)" = "2 5 1" ] || fail "belay lateness says $lateness"
figure "a task that ignores SIGTERM: its run FAILED $quiet s after run.timeout, $killed s with kill -9 of the leader before it; 5 deadlines alerted once over two kills; a missing run alerted, a present one not"
