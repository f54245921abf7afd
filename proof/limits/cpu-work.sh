#!/usr/bin/env bash
# Eight clients that validate a file of 10,000 expressions all the time do not slow other clients down.
# takes: about 2 min
#
# Meanwhile health answers, no worker disconnects, and another client's tasks, runs and small files go on. One check of the
# file alone takes less than a second.
. "$(dirname "$0")/../lib.sh"
task_max=${BELAY_PROOF_TASK_S:-3}
file_max=${BELAY_PROOF_FILE_MS:-1000}
flood_s=${BELAY_PROOF_FLOOD_S:-30}

start_cluster --replicas 1 --agents 2 --slots 8
{
  printf 'name: many\nparams:\n  n: {type: int, default: 5}\n  s: {type: string, default: x}\ntasks:\n'
  seq 10000 | sed -E 's/(.*)/  - name: t\1\n    command: [echo, "${{ params.n + \1 > 3 \&\& params.s.startsWith('"'a\1'"') }}"]/'
} >"$work/many.yaml"
printf 'name: few\nparams: {n: {type: int, default: 5}}\ntasks:\n  - {name: a, command: [echo, "${{ params.n }}"]}\n' >"$work/few.yaml"
call /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/few.yaml" | grep -q '"version"' || fail "the server did not accept the small workflow"

validate() { # validate FILE: milliseconds
  call /api/v1/workflows/validate -m 120 -H 'Content-Type: application/yaml' --data-binary "@$1" -o "$work/answer" \
    -w '%{http_code} %{time_total}' | awk '$1 == 200 { printf "%.0f", 1000 * $2 }'
}
for _ in 1 2 3 4 5 6; do # the first rounds load and compile the checker
  alone=$(validate "$work/many.yaml")
  [ -n "$alone" ] || fail "not valid: $(head -c 300 "$work/answer")"
  echo "the file alone: $alone ms"
done
below "$alone" "$file_max" "milliseconds for the file alone"

sessions() { cat "$cluster"/logs/agent-*.log | grep -cE 'connected' || true; }
before=$(sessions)
java() { "$(belay jdk)/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m "$@"; }
watch_health "$api"
java "$tools/Flood.java" "$api/api/v1/workflows/validate" "$cluster/token" "$work/many.yaml" 8 "$flood_s" >"$work/flood.log" 2>&1 &
flood=$!
started_pids+=("$flood")

longest=0
count=0
while alive "$flood"; do
  from=$(now)
  id=$(call /api/v1/tasks -H 'Content-Type: application/json' --data-binary '{"name": "other", "command": ["true"]}' | field id)
  state=$(call "/api/v1/tasks/$id?wait=10s" | field state)
  [ "$state" = SUCCEEDED ] || fail "another task is $state after $(since "$from") s"
  id=$(call /api/v1/workflows/few/runs -X POST | field id)
  state=$(call "/api/v1/runs/$id?wait=10s" | field state)
  [ "$state" = SUCCEEDED ] || fail "another run is $state after $(since "$from") s"
  [ -n "$(validate "$work/few.yaml")" ] || fail "a small file got: $(head -c 300 "$work/answer")"
  longest=$(awk -v a="$longest" -v b="$(since "$from")" 'BEGIN { print (a > b ? a : b) }')
  count=$((count + 1))
done
judge_health "8 clients"
cat "$work/flood.log"
grep -q '^200 x' "$work/flood.log" || fail "no file was validated: $(cat "$work/flood.log")"
below "$longest" "$task_max" "seconds for a task, a run and a small file of another client"
lost=$(($(sessions) - before))
connected=$(call "/api/v1/workers?limit=500" | grep -oE '"state" *: *"CONNECTED"' | wc -l)
[ "$connected" = 2 ] || fail "$connected of 2 workers are connected"
[ "$lost" = 0 ] || fail "workers connected again, $lost times"
figure "the file alone takes $alone ms; under 8 clients for $flood_s s ($(cat "$work/flood.log")) health p99 is $p99 ms, $count rounds of a task, a run and a small file take at most $longest s each, and no worker disconnects"
