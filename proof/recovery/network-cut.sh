#!/usr/bin/env bash
# The network of an agent is cut for 60 s; its results arrive afterwards, and no task is tried again.
# takes: about 3 min
#
# A proxy of ours carries nothing and closes nothing during the cut.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 1 --slots 10
servers=()
ways=()
for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do
  port=$(free_port)
  ways+=("$port:${url##*:}")
  servers+=(--server "http://127.0.0.1:$port")
done
start proxy "$(belay jdk)/bin/java" "$tools/Cut.java" "$work/cut" "${ways[@]}"
wait_for 30 grep -q ready "$work/proxy.log" || fail "the proxy does not start"
start_agent far --pool far --slots 20 "${servers[@]}"
# Ten tasks end during the cut and ten after it; ten more run on an agent that is not cut off.
submit_tasks 10 'm start; sleep 30; m end' ', "pool": "far"' >"$work/within.ids"
submit_tasks 10 'm start; sleep 80; m end' ', "pool": "far"' >/dev/null
submit_tasks 10 'm start; sleep 30; m end' >/dev/null
wait_for 30 marked start 30 || fail "30 tasks do not start"
wait_for 10 are_in RUNNING 30 || fail "30 tasks are not RUNNING"

touch "$work/cut"
sleep 60
rm "$work/cut"
whole=$(now)
[ "$(grep -F -f "$work/within.ids" "$(mark_file)" | grep -c ' end ')" = 10 ] || fail "the ten tasks did not end during the cut"
[ "$(count_tasks SUCCEEDED)" -le 20 ] || fail "results came through the cut"
within() { [ "$(count_tasks SUCCEEDED)" -ge 20 ]; }
wait_for 30 within || fail "results from the cut do not arrive: $(count_tasks SUCCEEDED) tasks succeeded"
arrived=$(since "$whole")
wait_for 60 are_in SUCCEEDED 30 || fail "$(count_tasks SUCCEEDED) of 30 tasks succeed"
ended_once 30
attempts=$(sql "SELECT count(*) FROM attempt")
[ "$attempts" = 30 ] || fail "$attempts attempts of 30 tasks"
figure "network cut for 60 s: 10 results from the cut arrived $arrived s after it, and 30 of 30 tasks succeeded at the first attempt"
