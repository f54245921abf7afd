#!/usr/bin/env bash
# 10,000 events in a minute, each sent twice, leader killed twice: each is stored once and causes its run once.
# takes: about 5 min
#
# Two workflows wait for the event. One has a filter and a run for each event that passes; the other one also has a debounce window.
# The events go to all replicas in turn, in lists of 100, and each list goes to two replicas. Afterwards the rows explain every event:
# it was filtered, it fired, or it is part of a window that fired.
. "$(dirname "$0")/../lib.sh"

lists=${BELAY_PROOF_LISTS:-100}
events=$((lists * 100))
cat >"$work/each.yaml" <<'YAML'
name: each
params: {n: {type: int}}
triggers:
  - {name: arrived, event: file-arrived, when: "${{ event.n % 20 == 0 }}", params: {n: "${{ event.n }}"}}
tasks:
  - {name: only, command: ["true"]}
YAML
cat >"$work/quiet.yaml" <<'YAML'
name: quiet
triggers:
  - {name: arrived, event: file-arrived, when: "${{ event.n % 2 == 0 }}", debounce: {quiet: 2s, max: 10s}}
tasks:
  - {name: only, command: ["true"]}
YAML
start_cluster --replicas 3 --agents 1 --slots 8
for file in each quiet; do belay register --server "$api" --token-file "$cluster/token" "$work/$file.yaml" >/dev/null; done
mapfile -t urls < <(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4)
token=$(cat "$cluster/token")

send() { # send LIST FROM: until a replica takes the list, beginning with this one
  local try
  for try in {0..60}; do
    curl -s -m 20 -o /dev/null -w '%{http_code}\n' "${urls[$((($2 + try) % 3))]}/api/v1/events" -H "Authorization: Bearer $token" \
      -H 'Content-Type: application/json' --data-binary "@$work/list-$1.json" 2>/dev/null | grep -qE '^20[01]$' && return 0
    sleep 0.2
  done
  echo "list $1 was not taken" >>"$work/refused"
}

kill_leader() {
  local leader
  leader=$(sql "SELECT leader FROM leadership")
  echo "  kills $leader"
  kill -9 "$(pid_of "$leader")"
  belay cluster start --dir "$cluster" --replica "${leader#replica-}" >/dev/null
}

for ((list = 0; list < lists; list++)); do
  awk -v list="$list" 'BEGIN {
    printf "{\"events\": ["
    for (i = 0; i < 100; i++) { n = list * 100 + i; printf "%s{\"name\": \"file-arrived\", \"key\": \"k%d\", \"data\": {\"n\": %d}}", (i ? ", " : ""), n, n }
    printf "]}" }' >"$work/list-$list.json"
done
began=$(now)
senders=()
for ((list = 0; list < lists; list++)); do
  send "$list" "$list" &
  senders+=($!)
  send "$list" "$((list + 1))" &
  senders+=($!)
  if [ "$list" = $((lists / 3)) ] || [ "$list" = $((2 * lists / 3)) ]; then kill_leader; fi
  sleep 0.3
done
for each in "${senders[@]}"; do wait "$each" || true; done
took=$(since "$began")
[ ! -f "$work/refused" ] || fail "$(cat "$work/refused")"

decided() { [ "$(sql "SELECT count(*) FROM event_fire WHERE outcome IN ('pending', 'waiting')")" = 0 ]; }
wait_for 300 decided || fail "events wait: $(sql "SELECT outcome, count(*) FROM event_fire GROUP BY outcome" | tr '\n\t' ', ')"

is() { # is WHAT EXPECTED STATEMENT
  local found
  found=$(sql "$3")
  [ "$found" = "$2" ] || fail "$1: $found, not $2"
}
is "events stored" "$events" "SELECT count(*) FROM event"
is "keys stored" "$events" "SELECT count(DISTINCT key) FROM event"
is "outcomes" "$((2 * events))" "SELECT count(*) FROM event_fire"
of="FROM event_fire f JOIN trigger t ON t.id = f.trigger_id AND t.workflow ="
is "events that fired for each" "$((events / 20))" "SELECT count(*) $of 'each' WHERE f.outcome = 'fired'"
is "events filtered for each" "$((events - events / 20))" "SELECT count(*) $of 'each' WHERE f.outcome = 'filtered'"
is "runs of each" "$((events / 20))" "SELECT count(*) FROM run WHERE workflow = 'each'"
is "events with a run of each" "$((events / 20))" "SELECT count(DISTINCT event_id) FROM run WHERE workflow = 'each'"
is "runs with the parameter of their event" "$((events / 20))" "SELECT count(*) FROM run r JOIN event e ON e.id = r.event_id WHERE r.workflow = 'each' AND r.params ->> 'n' = e.data ->> 'n'"
is "events filtered for quiet" "$((events / 2))" "SELECT count(*) $of 'quiet' WHERE f.outcome = 'filtered'"
is "events in a window of quiet" "$((events / 2))" "SELECT count(*) $of 'quiet' WHERE f.outcome IN ('fired', 'coalesced')"
is "windows without their one run" 0 "SELECT count(*) FROM (SELECT f.run_id $of 'quiet' WHERE f.run_id IS NOT NULL GROUP BY f.run_id HAVING count(*) FILTER (WHERE f.outcome = 'fired') <> 1) w"
is "runs of quiet without a window" 0 "SELECT count(*) FROM run r WHERE r.workflow = 'quiet' AND NOT EXISTS (SELECT FROM event_fire f WHERE f.run_id = r.id AND f.outcome = 'fired' AND f.event_id = r.event_id)"
windows=$(sql "SELECT count(*) FROM run WHERE workflow = 'quiet'")
at_least "$windows" 1 "runs of quiet"
figure "$events events in $took s, each sent twice, leader killed twice: $events stored, $((events / 20)) runs for $((events / 20)) events that passed the filter, $windows runs for the $((events / 2)) events of a debounce; every outcome explained"
