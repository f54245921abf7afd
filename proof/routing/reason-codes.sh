#!/usr/bin/env bash
# Each reason why a task finds no worker is told; only what nothing can ever run is given up, and a retry runs it.
# takes: about 4 min
#
# One replica gives up after 8 looks, about 5 s. Then the default, 50 looks in about 23 min, and a pool whose workers are down for an hour
# or were removed, by a test that sets the clock of a PostgreSQL.
. "$(dirname "$0")/../lib.sh"

export BELAY_PLACEMENT_WAIT=100ms BELAY_PLACEMENT_WAIT_MAX=1s BELAY_PLACEMENT_JITTER=100ms BELAY_PLACEMENT_ATTEMPTS=8
export BELAY_DISPATCH_FAILED_WAIT=100ms BELAY_DISPATCH_FAILED_WAIT_MAX=200ms BELAY_DISPATCH_FAILED_JITTER=50ms BELAY_DISPATCH_FAILED_ATTEMPTS=4
export BELAY_REFUSED_WAIT=100ms
start_cluster --replicas 1 --agents 1 --slots 2
export BELAY_HOME=$cluster

submit() { belay submit "$@" 2>>"$work/warnings"; }
state() { call "/api/v1/tasks/$1" | field state; }
is() { [ "$(state "$1")" = "$2" ]; }
told() { belay task "$1" 2>/dev/null >"$work/told" && grep -qE "$2" "$work/told"; } # told TASK PATTERN: `belay task` shows it
waits() { # waits TASK REASON PATTERN
  wait_for 20 told "$1" "waits: .*$3" || fail "the task is not told that $2: $(cat "$work/told")"
  call "/api/v1/tasks/$1" | tr -d ' \n' | grep -q "\"reason\":\"$2\"" || fail "the API does not say $2: $(call "/api/v1/tasks/$1")"
  echo "  $2: $(sed -n 's/^ *waits: //p' "$work/told")"
}
letter() { call "/api/v1/dead-letters?limit=100" | tr -d '\n ' | grep -oE '\{[^{}]*\}' | grep "\"task\":\"$1\"" | field "${2-id}"; } # letter TASK FIELD
given_up() { # given_up TASK REASON
  wait_for 60 is "$1" FAILED || fail "the task is $(state "$1"), not given up: $(belay task "$1")"
  [ "$(letter "$1" reason)" = "$2" ] || fail "its dead letter says '$(letter "$1" reason)', not $2"
  told "$1" "given up: belay dlq show" || fail "belay task does not name the dead letter: $(cat "$work/told")"
}
holds() { # holds COUNT SUBMIT-ARGS: tasks that run until they are let go
  local count=$1
  shift
  for ((n = 0; n < count; n++)); do submit "$@" -- /bin/sh -c "until [ -e $work/go ]; do sleep 0.2; done"; done
}

# What is only full, limited or away waits, and uses up no looks.
holders=$(holds 2)
for task in $holders; do wait_for 30 is "$task" RUNNING || fail "a task that holds a slot is $(state "$task")"; done
full=$(submit -- /bin/echo full)
waits "$full" pool_overloaded "no worker of .* has room"
start_agent away --pool night --slots 1
away_pid=$pid
stop "$away_pid"
down=$(submit --pool night -- /bin/echo down)
waits "$down" no_workers "no worker of pool night takes work"
belay tenants set small --max-running 0 >/dev/null 2>&1
limited=$(submit --tenant small --pool default -- /bin/echo limited)
waits "$limited" tenant_limit "tenant small has 0 of 0 tasks running"

# What nothing can ever run shows its looks, and is given up.
belay topics set known --pool later >/dev/null 2>&1
nowhere=$(submit --topic etl.load --priority 70 --label team=data -- /bin/echo nowhere)
waits "$nowhere" no_pool_mapping "no pool runs topic etl.load; tried [0-9]+ times, given up after 8"
never=$(submit --topic known --priority 60 --label team=data -- /bin/echo never)
waits "$never" no_workers "no worker of .* ever came; tried [0-9]+ times, given up after 8"
given_up "$nowhere" no_pool_mapping
given_up "$never" no_workers

# An executor that can start nothing: its folder for tasks is a file.
start_agent broken --pool broken --slots 1
broken=$(submit --pool broken -- /bin/echo broken)
wait_for 30 is "$broken" SUCCEEDED || fail "the worker does not work before it is broken"
mv "$work/broken/work" "$work/broken/work.away"
: >"$work/broken/work"
failed=$(submit --pool broken -- /bin/echo failed)
given_up "$failed" dispatch_failed
echo "  dispatch_failed: $(letter "$failed" detail)"
rm "$work/broken/work"
mv "$work/broken/work.away" "$work/broken/work"

# The pools exist now: each runs once, with its priority and labels, and both sides are linked.
start_agent later --pool later --slots 1
belay topics set etl.load --pool later >/dev/null 2>&1
for task in "$nowhere" "$never" "$failed"; do
  dead=$(letter "$task")
  again=$(belay dlq retry "$dead" 2>/dev/null) || fail "the dead letter of $task is not retried"
  wait_for 60 is "$again" SUCCEEDED || fail "the retry of $task is $(state "$again"): $(belay task "$again")"
  told "$again" "retry of the dead letter $dead" || fail "the new task does not name its dead letter: $(cat "$work/told")"
  [ "$(letter "$task" retried_as)" = "$again" ] || fail "the dead letter does not name the new task"
  if belay dlq retry "$dead" >/dev/null 2>&1; then fail "a dead letter is retried twice"; fi
  for kept in priority team; do
    [ "$(call "/api/v1/tasks/$again" | field $kept)" = "$(call "/api/v1/tasks/$task" | field $kept)" ] || fail "the retry loses its $kept"
  done
done

# Meanwhile the others had time for many more looks than 8.
sleep 30
for task in "$full" "$down" "$limited"; do
  is "$task" SCHEDULED || fail "a task that only had to wait is $(state "$task")"
  [ -z "$(letter "$task")" ] || fail "a task that only had to wait has a dead letter"
done
touch "$work/go"
belay tenants set small --max-running 1 >/dev/null 2>&1
start_agent away --pool night --slots 1
for task in "$full" "$down" "$limited"; do wait_for 60 is "$task" SUCCEEDED || fail "a task that waited is $(state "$task")"; done
for reason in no_pool_mapping no_workers dispatch_failed; do
  call /metrics | grep -qE "^belay_dead_letters_total\{.*reason=\"$reason\".*\} [1-9]" || fail "no metric counts the dead letters of $reason"
done
call /metrics | grep -qE '^belay_dispatch_failed_total\S* [1-9]' || fail "no metric counts dispatch_failed"

# With the default settings, and for an hour.
(cd "$root" && mvn -B -q -o -Dquick -pl store -am test -Dtest=UnservedQueuesTest -Dsurefire.failIfNoSpecifiedTests=false) >"$work/test.log" 2>&1 ||
  { tail -n 30 "$work/test.log"; fail "the test of the default settings failed"; }
figure "no_pool_mapping, no_workers and dispatch_failed end with a dead letter and run when retried; full, limited and absent pools fail nothing"
