#!/usr/bin/env bash
# A terminate asked of another replica than the worker's reaches the process as SIGTERM within 1 s, and its reason decides.
# takes: about 2 min
#
# Three replicas, and an agent that knows only the third one. Ten requests go to the first and the second replica in turn. Each
# task writes the time at which it got SIGTERM.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 3 --agents 1 --slots 2
mapfile -t urls < <(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4)
[ "${#urls[@]}" = 3 ] || fail "the cluster has ${#urls[@]} replicas"
start_agent far --pool far --slots 4 --server "${urls[2]}"

script='[ $BELAY_FENCE = 1 ] || { m again; exit 0; }; trap "m term; exit 143" TERM; m start; sleep 60 & wait'
ask() { # ask URL TASK REASON
  curl -s -m 20 -H "Authorization: Bearer $(cat "$cluster/token")" "$1/api/v1/tasks/$2/terminate" \
    -H 'Content-Type: application/json' -d "{\"reason\": \"$3\", \"note\": \"a proof\"}"
}
state() { call "/api/v1/tasks/$1" | field state; }
is() { [ "$(state "$1")" = "$2" ]; }
of_task() { grep "^$1 .* $2 " "$(mark_file)" 2>/dev/null; }
steps() { call "/api/v1/tasks/$1/history"; }

declare -A leads=([cancelled]=CANCELLED [graceful_shutdown]=SCHEDULED [hard_cap_exceeded]=FAILED [cost_limit_reached]=BLOCKED
  [cooperative_preemption]=SCHEDULED [preemption_timeout]=SCHEDULED)
reasons=(cancelled graceful_shutdown hard_cap_exceeded cost_limit_reached cooperative_preemption preemption_timeout
  cancelled graceful_shutdown cost_limit_reached cancelled)
worst=0
for round in "${!reasons[@]}"; do
  reason=${reasons[$round]}
  to=${leads[$reason]}
  task=$(submit_tasks 1 "${script//\"/\\\"}" ', "pool": "far"')
  wait_for 60 of_task "$task" start >/dev/null || fail "task $task does not start"
  wait_for 20 is "$task" RUNNING || fail "task $task is $(state "$task"), not RUNNING"
  asked=$(now)
  answer=$(ask "${urls[$((round % 2))]}" "$task" "$reason")
  [ "$(field answer <<<"$answer")" = asked ] || fail "the replica answers $answer"
  wait_for 20 of_task "$task" term >/dev/null || fail "the process of $task gets no SIGTERM"
  took=$(of_task "$task" term | awk -v from="$asked" '{ printf "%.3f", $4 - from; exit }')
  echo "  $reason, asked of replica $((round % 2 + 1)): SIGTERM after $took s"
  worst=$(awk -v a="$worst" -v b="$took" 'BEGIN { print (a > b ? a : b) }')
  ended() { steps "$task" | grep -q "\"to\":\"$to\",\"reason\":\"$reason: a proof\""; }
  wait_for 30 ended || fail "$reason leads to $(state "$task"), not $to: $(steps "$task")"
  case $to in
    SCHEDULED) wait_for 60 is "$task" SUCCEEDED || fail "a task that was given back does not run again" ;;
    BLOCKED) is "$task" BLOCKED || fail "it is $(state "$task"), not BLOCKED" ;;
    *) is "$task" "$to" || fail "it is $(state "$task"), not $to" ;;
  esac
done
call /api/v1/alerts | grep -q hard_cap_exceeded || fail "hard_cap_exceeded raised no alert"
below "$worst" 1 "seconds from the request to SIGTERM"
figure "10 requests to another replica than the worker's: SIGTERM after at most $worst s; six reasons led to their states"
