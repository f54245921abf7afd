#!/usr/bin/env bash
# A run with a very expensive expression fails alone; the scheduler and other clients go on.
# takes: about 3 min
#
# The condition has 500 characters: three nested loops around a regular expression over a parameter of 90,000 characters. The
# run fails with that reason and does not come back after a restart. Meanwhile health answers, and other tasks and runs with
# expressions of their own end. Regular expressions that would fill the memory or never end, and a list of 99,000 characters
# in the environment of 6,000 tasks, fail tasks and not the server.
. "$(dirname "$0")/../lib.sh"
task_max=${BELAY_PROOF_TASK_S:-3}

start_cluster --replicas 1 --agents 1 --slots 8
cat >"$work/attack.yaml" <<'END'
name: attack
params:
  text: {type: string}
  list: {type: json, default: [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39]}
tasks:
  - name: innocent
    command: ["true"]
  - name: stalls
    depends_on: [innocent]
    command: ["true"]
    when: "${{ params.list.exists(a, params.list.exists(b, params.list.exists(c, params.text.matches('(x+x+)+(x+x+)+(x+x+)+y' + string(a) + string(b) + string(c))))) }}"
END
cat >"$work/usual.yaml" <<'END'
name: usual
params:
  n: {type: int, default: 3}
tasks:
  - name: one
    command: [echo, "${{ params.n + 1 }}"]
    when: "${{ params.n > 2 && run.id.matches('[0-9a-f-]+') }}"
END
for file in attack usual; do
  call /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/$file.yaml" | grep -q '"version"' || fail "$file is not accepted"
done
printf '{"params": {"text": "%s"}}' "$(head -c 90000 /dev/zero | tr '\0' x)" >"$work/attack.json"
trigger() { call "/api/v1/workflows/$1/runs" -H 'Content-Type: application/json' --data-binary "$2" | field id; }
run_state() { call "/api/v1/runs/$1" | field state; }
run_ended() { case $(run_state "$1") in SUCCEEDED | FAILED | CANCELLED) ;; *) return 1 ;; esac; }

# others N: another client starts N tasks and N usual runs, one after another; $longest is the longest time of a pair.
others() {
  local n from id state
  longest=0
  for ((n = 0; n < $1; n++)); do
    from=$(now)
    id=$(call /api/v1/tasks -H 'Content-Type: application/json' --data-binary '{"name": "other", "command": ["true"]}' | field id)
    state=$(call "/api/v1/tasks/$id?wait=10s" | field state)
    [ "$state" = SUCCEEDED ] || fail "another task is $state 10 s after its submit"
    id=$(trigger usual '{}')
    state=$(call "/api/v1/runs/$id?wait=10s" | field state)
    [ "$state" = SUCCEEDED ] || fail "another run is $state 10 s after it was triggered"
    longest=$(awk -v a="$longest" -v b="$(since "$from")" 'BEGIN { print (a > b ? a : b) }')
  done
}

others 2
echo "without the attack: a task and a run within $longest s"
watch_health "$api"

began=$(now)
run=$(trigger attack "@$work/attack.json")
[ -n "$run" ] || fail "the run is not accepted"
others 5
wait_for 60 run_ended "$run" || fail "the run is $(run_state "$run") after $(since "$began") s"
took=$(since "$began")
[ "$(run_state "$run")" = FAILED ] || fail "the run is $(run_state "$run")"
reason=$(call "/api/v1/tasks?run=$run&name=stalls" | field reason)
case $reason in expression_too_costly*) ;; *) fail "the task's reason is: $reason" ;; esac

# Ten more such runs, and one that is cancelled at once.
for _ in {1..10}; do trigger attack "@$work/attack.json" >>"$work/runs"; done
cancelled=$(trigger attack "@$work/attack.json")
call "/api/v1/runs/$cancelled/cancel" -X POST >/dev/null
others 3
for each in $cancelled $(cat "$work/runs"); do wait_for 60 run_ended "$each" || fail "run $each is $(run_state "$each")"; done
judge_health "12 runs"
below "$longest" "$task_max" "seconds of a task and a run of another client"
during=$longest

server=$(pid_of replica-1)
cat >"$work/regex.yaml" <<'END'
name: regex
tasks:
  - {name: range, command: ["true"], when: "${{ 'a'.matches('[!-[:]((a{999}){999}){999}') }}"}
  - {name: flags, command: ["true"], when: "${{ 'a'.matches('(?:(?:a{999})(?i){999})(?i){999}') }}"}
  - {name: quotes, command: ["true"], when: "${{ 'a'.matches(r'(?:(?:a{999})\\Q\\E{999})\\Q\\E{999}') }}"}
  - {name: endless, command: ["true"], when: "${{ 'a'.matches('(?i)ᲀ') }}"}
END
{
  printf 'name: wide\nparams: {j: {type: json}}\ndefaults: {env: {A: "${{ params.j }}"}}\ntasks:\n'
  seq -f '  - {name: t%.0f, command: ["true"]}' 6000
} >"$work/wide.yaml"
printf '{"params": {"j": ["%s"]}}' "$(head -c 99000 /dev/zero | tr '\0' x)" >"$work/wide.json"
for file in regex wide; do
  call /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/$file.yaml" | grep -q '"version"' || fail "$file is not accepted"
done
run=$(trigger regex '{}')
wait_for 60 run_ended "$run" || fail "the run with regular expressions is $(run_state "$run")"
for name in range flags quotes endless; do
  why=$(call "/api/v1/tasks?run=$run&name=$name" | field reason)
  case $why in *"regular expression"*) ;; *) fail "the reason of $name is: $why" ;; esac
done
run=$(trigger wide "@$work/wide.json")
wait_for 120 run_ended "$run" || fail "the run with a long list is $(run_state "$run")"
why=$(call "/api/v1/tasks?run=$run&state=FAILED&limit=1" | field reason)
case $why in *"more than 20000000 characters"*) ;; *) fail "the reason of the long list is: $why" ;; esac
[ "$(pid_of replica-1)" = "$server" ] && kill -0 "$server" || fail "the server process died or changed"

kill -9 "$(pid_of replica-1)"
belay cluster start --dir "$cluster" --replica 1 >/dev/null
others 3
run=$(head -n 1 "$work/runs")
[ "$(run_state "$run")" = FAILED ] || fail "after a restart the run is $(run_state "$run")"
evaluated=$(call /metrics | sed -n -E 's/^belay_expressions_too_costly_total ([0-9.]+).*/\1/p')
[ "${evaluated%.*}" = 0 ] || fail "the server evaluated the expression again after its restart"
figure "the run FAILED after $took s (${reason:0:60}...), and so did 11 more; health p99 $p99 ms; a task and a run of another client end within $during s, and within $longest s after a restart"
