#!/usr/bin/env bash
# Under load, finished tasks and runs go after their retention, open ones stay, and the archive has all that went.
# takes: about 5 min
#
# Tasks are kept for 3 s. Two replicas are killed while they remove: the archive may then have a line twice, but none is missing.
# The tick does not wait for the removal: its p99 stays below 100 ms.
. "$(dirname "$0")/../lib.sh"

archive=$work/archive
export BELAY_TASK_RETENTION=3s BELAY_CLEAN_INTERVAL=1s BELAY_JOB_LEASE_TTL=1s BELAY_RETENTION_BATCH=200 BELAY_RETENTION_ARCHIVE=$archive
start_cluster --replicas 2 --agents 1 --slots 8

urls() { grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4; }
submit() { # submit N FIELDS NAME: N tasks that end at once; adds their ids to $work/ids.NAME
  local key=$RANDOM-$RANDOM-$RANDOM i
  { printf '{"tasks": [{"command": ["/bin/true"]%s}' "$2"; for ((i = 1; i < $1; i++)); do printf ', {"command": ["/bin/true"]%s}' "$2"; done; printf ']}'; } >"$work/body"
  for _ in {1..60}; do
    if call /api/v1/tasks -f -H 'Content-Type: application/json' -H "Idempotency-Key: $key" --data-binary "@$work/body" >"$work/answer"; then break; fi
    sleep 0.5
    api=$(urls | shuf -n 1)
  done
  grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' "$work/answer" >>"$work/ids.$3" || { cat "$work/answer"; fail "tasks were not accepted"; }
}

echo "open tasks, which no worker takes, and runs"
submit 50 ', "pool": "nobody"' open
cat >"$work/wide.yaml" <<'YAML'
name: wide
tasks:
  - {name: a, command: [/bin/true]}
  - {name: b, command: [/bin/true], depends_on: [a]}
  - {name: c, command: [/bin/true], depends_on: [a]}
YAML
client=(--server "$api" --token-file "$cluster/token")
belay register "${client[@]}" "$work/wide.yaml" >/dev/null
for _ in {1..20}; do belay trigger "${client[@]}" wide >/dev/null 2>&1 || fail "no run was triggered"; done

holder() { # the number of the replica that runs the job retention, or nothing
  call /api/v1/info -m 2 | tr -d '\n ' | { grep -oE '"name":"retention","holder":"[^"]*' || true; } | cut -d'"' -f8 | sed 's/.*-//'
}
scrape() { urls | while read -r each; do curl -s -m 5 -H "Authorization: Bearer $(cat "$cluster/token")" "$each/metrics" || true; done; }

echo "load for 90 s, and the replica that removes is killed twice"
from=$(now)
kills=0
while awk -v since="$(since "$from")" 'BEGIN { exit !(since < 90) }'; do
  submit 100 "" done
  at=$(since "$from")
  if [ "$kills" = 0 ] && awk -v at="$at" 'BEGIN { exit !(at > 30) }' || [ "$kills" = 1 ] && awk -v at="$at" 'BEGIN { exit !(at > 60) }'; then
    number=$(holder)
    [ -n "$number" ] || { api=$(urls | shuf -n 1); continue; }
    scrape | grep -E '^belay_tick_seconds_(bucket|count)' >>"$work/ticks"
    kill -9 "$(pid_of "replica-$number")"
    kills=$((kills + 1))
    belay cluster start --dir "$cluster" --replica "$number" >/dev/null 2>&1 &
    started_pids+=($!)
  fi
  sleep 1
done
[ "$kills" = 2 ] || fail "$kills replicas were killed, not 2"

left() { sql "SELECT count(*) FROM task WHERE pool <> 'nobody'" "SELECT count(*) FROM run" | paste -sd' '; }
all_gone() { sleep 1; [ "$(left)" = "0 0" ]; }
wait_for 240 all_gone || fail "tasks and runs that are left: $(left); $(sql "SELECT state, count(*) FROM task GROUP BY state" | paste -sd,)"
scrape | grep -E '^belay_tick_seconds_(bucket|count)' >>"$work/ticks"

echo "what is left, and what the archive has"
[ "$(sql "SELECT count(*) FROM task WHERE state = 'SCHEDULED'")" = 50 ] || fail "open tasks were removed"
rest=$(sql "SELECT (SELECT count(*) FROM task_payload) - 50 + (SELECT count(*) FROM past_attempt) + (SELECT count(*) FROM step) + (SELECT count(*) FROM run_history)")
[ "$rest" = 0 ] || fail "$rest rows of removed tasks are left"
for each in "$archive"/*.gz; do zcat "$each" 2>>"$work/torn" || true; done >"$work/lines"
ids_of() { grep "\"kind\":\"$1\"" "$work/lines" | grep -oE '"id":"[^"]*' | cut -d'"' -f4; }
lines=$(ids_of task | wc -l)
ids_of task | sort -u >"$work/archived"
sort -u "$work/ids.done" >"$work/wanted"
missing=$(comm -23 "$work/wanted" "$work/archived" | wc -l)
[ "$missing" = 0 ] || fail "$missing removed tasks are not in the archive"
tasks=$(wc -l <"$work/archived")
[ "$tasks" = $(($(wc -l <"$work/wanted") + 60)) ] || fail "the archive has $tasks tasks, not $(wc -l <"$work/wanted") and 60 of runs"
[ "$(ids_of run | sort -u | wc -l)" = 20 ] || fail "the archive has $(ids_of run | sort -u | wc -l) runs, not 20"
[ "$(comm -12 <(sort "$work/ids.open") "$work/archived" | wc -l)" = 0 ] || fail "the archive has open tasks"
bare=$(grep '"kind":"task"' "$work/lines" | grep -vc '"to":"SUCCEEDED"' || true)
[ "$bare" = 0 ] || fail "$bare lines have no whole history"

p99=$(awk -F'[" ]' '
  /_bucket/ { for (i = 1; i <= NF; i++) if ($i ~ /le=$/) le = $(i + 1); sum[le] += $NF; next }
  { all += $NF }
  END { best = 1e6; min = 1e9; for (le in sum) if (le != "+Inf" && sum[le] >= 0.99 * all && le + 0 < min) { min = le + 0; best = min } print best * 1000 }' "$work/ticks")
below "$p99" 101 "p99 of the tick in ms"
figure "$tasks tasks and 20 runs removed and archived, $((lines - tasks)) lines twice after 2 killed replicas, none missing; 50 open tasks stay; p99 of the tick at most $p99 ms"
