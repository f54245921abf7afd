#!/usr/bin/env bash
# A chain of three workflows, retried, leader killed: one run for each end; cycles are refused, loops of events end.
# takes: about 4 min
#
# 20 runs of `first` fail, and then a person retries each. `second` waits for every end of `first`, `third` for each success of `second`.
# The leader is killed while they end. Two workflows that wait for each other cannot be applied. A workflow that sends the event that it
# waits for ends at chain-depth-max.
. "$(dirname "$0")/../lib.sh"

runs=20
depth_max=5
export BELAY_CHAIN_DEPTH_MAX=$depth_max
cat >"$work/first.yaml" <<YAML
name: first
tasks:
  - name: only
    command: [/bin/sh, -c, 'test -e "$work/mended"']
YAML
cat >"$work/second.yaml" <<'YAML'
name: second
triggers: [{workflow: first, on: ended}]
tasks: [{name: only, command: ["true"]}]
YAML
cat >"$work/third.yaml" <<'YAML'
name: third
triggers: [{workflow: second, on: succeeded}]
tasks: [{name: only, command: ["true"]}]
YAML
start_cluster --replicas 3 --agents 1 --slots 8
b() { belay "$@" --server "$servers" --token-file "$cluster/token"; }
servers=$(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4 | paste -sd,)
for file in first second third; do b register "$work/$file.yaml" >/dev/null; done

kill_leader() {
  local leader
  leader=$(sql "SELECT leader FROM leadership")
  echo "  kills $leader"
  kill -9 "$(pid_of "$leader")"
  belay cluster start --dir "$cluster" --replica "${leader#replica-}" >/dev/null
}
ended() { [ "$(sql "SELECT count(*) FROM run WHERE workflow = '$1' AND state = '$2'")" = "$3" ]; }

post() { # post PATH: asks one replica after the other until one answers
  local try url
  for try in {1..20}; do
    for url in ${servers//,/ }; do
      curl -sf -m 20 -H "Authorization: Bearer $(cat "$cluster/token")" -H 'Content-Type: application/json' -d '{}' "$url/api/v1$1" && return 0
    done
    sleep 0.5
  done
  fail "no replica takes $1"
}

mapfile -t started < <(for ((i = 0; i < runs; i++)); do post /workflows/first/runs | field id; done)
[ "${#started[@]}" = "$runs" ] || fail "${#started[@]} runs started"
kill_leader
wait_for 240 ended first FAILED "$runs" || fail "the runs of first do not fail"
wait_for 240 ended third SUCCEEDED "$runs" || fail "$(sql "SELECT workflow, state, count(*) FROM run GROUP BY 1, 2")"
touch "$work/mended"
for run in "${started[@]}"; do post "/runs/$run/retry" >/dev/null; done
kill_leader
wait_for 240 ended first SUCCEEDED "$runs" || fail "the retried runs of first do not succeed"
wait_for 240 ended third SUCCEEDED "$((2 * runs))" || fail "$(sql "SELECT workflow, state, count(*) FROM run GROUP BY 1, 2")"

is() { # is WHAT EXPECTED STATEMENT
  local found
  found=$(sql "$3")
  [ "$found" = "$2" ] || fail "$1: $found, not $2"
}
is "ends that fired" "$((4 * runs))" "SELECT count(*) FROM chain_fire WHERE outcome = 'fired'"
is "ends not decided" 0 "SELECT count(*) FROM chain_fire WHERE outcome <> 'fired'"
is "runs of second" "$((2 * runs))" "SELECT count(*) FROM run WHERE workflow = 'second'"
is "runs of third" "$((2 * runs))" "SELECT count(*) FROM run WHERE workflow = 'third'"
is "ends of first with one run of second" "$((2 * runs))" "SELECT count(*) FROM (SELECT c.upstream_run_id, c.generation FROM chain_fire c JOIN run r ON r.id = c.run_id WHERE r.workflow = 'second' GROUP BY 1, 2 HAVING count(*) = 1) e"
is "depths of third" 2 "SELECT DISTINCT depth FROM run WHERE workflow = 'third'"

mkdir "$work/cycle"
printf 'name: x\ntriggers: [{workflow: y}]\ntasks: [{name: a, command: ["true"]}]\n' >"$work/cycle/x.yaml"
printf 'name: y\ntriggers: [{workflow: x}]\ntasks: [{name: a, command: ["true"]}]\n' >"$work/cycle/y.yaml"
if b apply "$work/cycle" --yes >"$work/cycle.log" 2>&1; then fail "a cycle was applied: $(cat "$work/cycle.log")"; fi
grep -qiE 'cycle|circle|wait for each other' "$work/cycle.log" || fail "the refusal of a cycle does not say so: $(cat "$work/cycle.log")"

cat >"$work/loop.yaml" <<YAML
name: loop
triggers: [{event: ping}]
tasks:
  - name: again
    command: ["$root/belay", events, send, ping, --server, "$servers", --token-file, "$cluster/token"]
YAML
b register "$work/loop.yaml" >/dev/null
b events send ping >/dev/null
over() { [ "$(sql "SELECT count(*) FROM event_fire WHERE outcome = 'skipped' AND reason = 'depth'")" = 1 ]; }
wait_for 240 over || fail "the loop does not end: $(sql "SELECT outcome, reason, count(*) FROM event_fire GROUP BY 1, 2")"
is "runs of the loop" "$((depth_max + 1))" "SELECT count(*) FROM run WHERE workflow = 'loop'"
figure "$runs runs, retried once, leader killed twice: $((2 * runs)) ends, $((2 * runs)) runs of the second workflow and $((2 * runs)) of the third; a cycle was refused; a loop of events ended after $((depth_max + 1)) runs"
