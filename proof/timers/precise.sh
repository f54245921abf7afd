#!/usr/bin/env bash
# 10,000 timers over a minute fire within 50 ms (p99), none early or twice, also when the leader is killed.
# takes: about 5 min
#
# Half are delayed tasks of a pool without workers, so nothing else keeps the machine busy; the others are wait tasks, a thousand of
# them in one run. The second round kills the leader of three replicas with -9 in the middle and starts it again.
. "$(dirname "$0")/../lib.sh"

p99_max=${BELAY_PROOF_TIMERS_MS:-50} # on a quiet machine
count=${BELAY_PROOF_TIMERS:-10000}
start_cluster --replicas 3 --agents 0

ask() {
  local url
  for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do
    curl -sf -m 10 -H "Authorization: Bearer $(cat "$cluster/token")" "$url$1" "${@:2}" && return
  done
}

# A name ends with the milliseconds of its timer, which come in a random order within a minute that begins 15 s from now.
bulk() { # bulk ROUND FROM TO: one request
  awk -v round="$1" -v from="$2" -v to="$3" -v half="$((count / 2))" 'BEGIN {
    srand(round * 100000 + from); printf "{\"tasks\": ["
    for (i = from; i < to; i++) {
      ms = 15000 + int(rand() * 60000)
      printf "%s", (i == from ? "" : ", ")
      if (i < half) printf "{\"name\": \"r%d-d-%d\", \"pool\": \"nobody\", \"command\": [\"true\"], \"delay\": \"%dms\"}", round, ms, ms
      else printf "{\"name\": \"r%d-w-%d\", \"wait\": {\"for\": \"%dms\"}}", round, ms, ms
    }
    printf "]}" }'
}

submit_round() {
  local round=$1 from in_run=$((count / 10))
  awk -v round="$round" -v n="$in_run" 'BEGIN {
    srand(round); print "name: waits-" round "\ntasks:"
    for (i = 0; i < n; i++) {
      do ms = 15000 + int(rand() * 60000); while (ms in used)
      used[ms] = 1
      printf "  - {name: r%d-w-%d, wait: {for: %dms}}\n", round, ms, ms
    } }' >"$work/waits.yaml"
  ask /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/waits.yaml" >/dev/null || fail "the workflow is not accepted"
  for ((from = 0; from < count - in_run; from += 500)); do
    bulk "$round" "$from" $((from + 500 < count - in_run ? from + 500 : count - in_run)) >"$work/bulk.json"
    ask /api/v1/tasks -H 'Content-Type: application/json' --data-binary "@$work/bulk.json" >/dev/null || fail "the server did not accept the tasks"
  done
  ask "/api/v1/workflows/waits-$round/runs" -H 'Content-Type: application/json' --data '{}' >/dev/null || fail "the run is not accepted"
}

timers() { # timers ROUND: how many exist, how many fired, how many steps fired them, early, p50, p99 and worst in ms
  sql "SELECT count(DISTINCT task.id), count(DISTINCT fired.task_id), count(fired.task_id),
      count(*) FILTER (WHERE late < 0), coalesce(round(percentile_cont(0.5) WITHIN GROUP (ORDER BY late)::numeric, 1), 0),
      coalesce(round(percentile_cont(0.99) WITHIN GROUP (ORDER BY late)::numeric, 1), 0), coalesce(round(max(late)::numeric, 1), 0)
    FROM task JOIN step AS created ON created.task_id = task.id AND created.from_state IS NULL
    LEFT JOIN step AS fired ON fired.task_id = task.id AND fired.reason IN ('due', 'wait_over', 'pending_replayed')
    CROSS JOIN LATERAL (SELECT extract(epoch FROM fired.at - created.at) * 1000 - CAST(substring(task.name FROM '[0-9]+\$') AS int) AS late) AS l
    WHERE task.name LIKE 'r$1-%'"
}

judge() { # judge ROUND: all of them, each once, none early
  local all
  read -r all fired steps early p50 p99 worst < <(timers "$1")
  [ "$all" = "$count" ] || fail "round $1: $all timers exist, not $count"
  [ "$fired" = "$count" ] || fail "round $1: $fired of $count timers fired"
  [ "$steps" = "$count" ] || fail "round $1: $((steps - count)) timers fired twice"
  [ "$early" = 0 ] || fail "round $1: $early timers fired early"
}

all_fired() { sleep 2; [ "$(timers "$1" | cut -f2)" = "$count" ]; }

submit_round 1
sleep 75
wait_for 120 all_fired 1 || judge 1
judge 1
quiet="p50 $p50 ms, p99 $p99 ms, worst $worst ms"
echo "load average $(cut -d' ' -f1 /proc/loadavg); $quiet"
below "$p99" "$p99_max" "p99 of the error in ms"

submit_round 2
sleep 40
leader=$(ask /api/v1/info | field leader)
kill -9 "$(pid_of "$leader")"
belay cluster start --dir "$cluster" --replica "${leader##*-}" >/dev/null 2>&1 || fail "$leader does not start again"
sleep 35
wait_for 120 all_fired 2 || judge 2
judge 2
figure "$count timers over a minute: $quiet; with kill -9 of the leader: all fired, none twice, none early, p50 $p50 ms, worst $worst ms"
