#!/usr/bin/env bash
# A database that older code filled is migrated under running agents, loses nothing, and every open task ends as it should.
# takes: about 5 min
#
# The older code makes runs and tasks in every state that it can reach, history, recoveries, alerts, and workers with active
# tasks. Then its servers stop, the agents keep running, and servers of this code start on the same database.
# BELAY_PROOF_BEFORE names the commit that fills the database.
. "$(dirname "$0")/../lib.sh"

new=$root
root=$work/checkout
git -C "$new" worktree add --detach "$root" "${BELAY_PROOF_BEFORE:-cbb4d9d}" >/dev/null 2>&1 || fail "no such commit"
finish() {
  local code=$?
  set +e
  root=$new
  (
    (exit "$code")
    cleanup
  )
  git -C "$new" worktree prune
  exit "$code"
}
trap finish EXIT

post() { call "$1" -H 'Content-Type: application/json' -d "$2" | field id; }
register() { # register FILE: a workflow, from standard input
  cat >"$work/$1.yaml"
  call /api/v1/workflows -H 'Content-Type: application/yaml' --data-binary "@$work/$1.yaml" >"$work/$1.answer"
  grep -q '"version"' "$work/$1.answer" || { cat "$work/$1.answer"; fail "workflow $1 is not registered"; }
}
run_of() { post "/api/v1/workflows/$1/runs" '{}'; }
state_of() { call "/api/v1/$1/$2" | field state; }
is_in() { [ "$(state_of "$1" "$2")" = "$3" ]; } # is_in tasks|runs ID STATE
await_state() { wait_for "${4:-60}" is_in "$1" "$2" "$3" || fail "$1 $2 is $(state_of "$1" "$2"), not $3"; }

"$new/belay" version >/dev/null # builds it, before anybody waits for it
start_cluster --replicas 2 --agents 2 --slots 10
start_agent doomed --slots 2 --pool doomed
doomed=$pid
start_agent frozen --slots 2 --pool frozen
frozen=$pid

register ends <<YAML
name: ends
tasks:
  - {name: good, command: ["true"]}
  - {name: bad, command: [sh, -c, "exit 3"]}
  - {name: skipped, command: ["true"], when: "\${{ 1 > 2 }}"}
  - {name: after, command: ["true"], depends_on: [bad]}
YAML
register good <<YAML
name: good
tasks: [{name: only, command: ["true"]}]
YAML
# One runs at a time: the first waits in its task until it is released, the second is QUEUED, the third is cancelled.
register turns <<YAML
name: turns
run: {max_active: 1}
tasks:
  - {name: first, command: [sh, -c, "until [ -e $work/release ]; do sleep 0.2; done"]}
  - {name: second, command: ["true"], depends_on: [first]}
YAML
failed_run=$(run_of ends)
good_run=$(run_of good)
running_run=$(run_of turns)
queued_run=$(run_of turns)
cancelled_run=$(run_of turns)
post "/api/v1/runs/$cancelled_run/cancel" '{}' >/dev/null

until_release="until [ -e $work/release ]; do sleep 0.2; done"
held=$(submit_tasks 5 "m start; $until_release; m end")
fails_later=$(submit_tasks 1 "m start; $until_release; m end; exit 3")
timeout=$(post /api/v1/tasks '{"name": "slow", "command": ["sleep", "60"], "execution_timeout": "1s", "retry": {"max": 0}}')
cancelled=$(post /api/v1/tasks '{"name": "cancelled", "command": ["sleep", "60"]}')
pending=$(submit_tasks 1 '[ $BELAY_FENCE = 1 ] && exit 1; m again' ', "retry": {"max": 1, "backoff": {"initial": "90s", "jitter": false}}')
scheduled=$(submit_tasks 2 'm later' ', "pool": "later"')
lost=$(submit_tasks 1 '[ $BELAY_FENCE = 1 ] && m lost && sleep 600; m found' ', "pool": "doomed"')
wait_for 60 marked start 6 || fail "the tasks do not start"
wait_for 60 marked lost 1 || fail "the doomed task does not start"
await_state tasks "$cancelled" RUNNING
post "/api/v1/tasks/$cancelled/cancel" '{}' >/dev/null
kill -STOP "$frozen"
dispatched=$(submit_tasks 2 'm thawed' ', "pool": "frozen"')
kill -9 "$doomed"
start_agent doomed2 --slots 2 --pool doomed
wait_for 60 marked found 1 || fail "the lost task is not tried again"
for id in $lost; do await_state tasks "$id" SUCCEEDED; done
for id in $dispatched; do await_state tasks "$id" DISPATCHED; done
for id in $pending; do await_state tasks "$id" PENDING; done
await_state tasks "$timeout" TIMEOUT
await_state tasks "$cancelled" CANCELLED
await_state runs "$failed_run" FAILED
await_state runs "$good_run" SUCCEEDED
await_state runs "$cancelled_run" CANCELLED
await_state runs "$running_run" RUNNING
await_state runs "$queued_run" QUEUED
for state in WAITING PENDING SCHEDULED DISPATCHED RUNNING SUCCEEDED FAILED TIMEOUT CANCELLED SKIPPED UPSTREAM_FAILED; do
  [ "$(count_tasks "$state")" -gt 0 ] || fail "no task is $state before the migration"
done

# What is there, by value: names of columns and fields may change.
values() { tr -d '\n' | grep -oE ': *("([^"\]|\\.)*"|[-0-9.]+|true|false)' | sed -E 's/^: *//' | grep -vE '^(true|false|[0-9.]+)$' |
  sed 's/^"agent_gone"$/"agent_closed"/' | sort; } # a kind that was renamed
snapshot() { # snapshot NAME: the states and the history of all tasks and runs, recoveries, alerts
  local what id
  mkdir -p "$work/$1"
  for what in tasks runs; do
    call "/api/v1/$what?limit=500" >"$work/$1/$what.json"
    grep -oE '"id" *: *"[^"]*"' "$work/$1/$what.json" | cut -d'"' -f4 | sort >"$work/$1/$what.ids"
    while read -r id; do call "/api/v1/$what/$id/history" | values >"$work/$1/$what-$id"; done <"$work/$1/$what.ids"
  done
  call "/api/v1/recovery/events?limit=500" | values >"$work/$1/recoveries"
  call "/api/v1/alerts?limit=500" | values >"$work/$1/alerts"
  call "/api/v1/workflows?limit=500" | values >"$work/$1/workflows"
}
for replica in 1 2; do
  server=$(pid_of "replica-$replica")
  [ "$replica" = 1 ] || snapshot before # by the last that runs
  if [ "$replica" = 1 ]; then api=$(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | sed -n 2p | cut -d'"' -f4); fi
  kill "$server"
  wait_for 20 none_alive "$server" || fail "replica-$replica does not stop"
done
schema() { sql "SELECT max(CAST(version AS int)) FROM flyway_schema_history"; }
was=$(schema)
[ -s "$work/before/recoveries" ] || fail "no recovery before the migration"
[ -s "$work/before/alerts" ] || fail "no alert before the migration"

root=$new
began=$(now)
for replica in 1 2; do belay cluster start --dir "$cluster" --replica "$replica"; done
is=$(schema)
newest=$(cd "$new/store/src/main/resources/db/migration" && printf '%s\n' V*__*.sql | sed -E 's/V([0-9]+)__.*/\1/' | sort -n | tail -n 1)
[ "$is" = "$newest" ] || fail "the schema is at version $is, not $newest"
api=$(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | head -n 1 | cut -d'"' -f4)
for agent in agent-1 agent-2 doomed2; do wait_for 90 connected "$agent" || fail "$agent does not come back"; done
back=$(since "$began")
await_state runs "$running_run" RUNNING
[ "$(state_of runs "$queued_run")" = QUEUED ] || fail "the queued run did not wait"
snapshot after
for kind in tasks runs; do
  diff "$work/before/$kind.ids" "$work/after/$kind.ids" >/dev/null || fail "not the same $kind after the migration"
done
for each in "$work"/before/tasks-* "$work"/before/runs-* "$work"/before/recoveries "$work"/before/alerts "$work"/before/workflows; do
  lacks=$(comm -23 "$each" "$work/after/$(basename "$each")")
  [ -z "$lacks" ] || fail "$(basename "$each") lacks after the migration: $lacks"
done

kill -CONT "$frozen"
touch "$work/release"
start_agent later --pool later
for id in $held $dispatched $scheduled $pending; do await_state tasks "$id" SUCCEEDED 150; done
for id in $fails_later; do await_state tasks "$id" FAILED; done
await_state runs "$running_run" SUCCEEDED 90
await_state runs "$queued_run" SUCCEEDED 90
for word in start end; do [ "$(marks $word | wc -l)" = 6 ] || fail "$(marks $word | wc -l) marks of $word, not 6: a task ran twice or not at all"; done
for word in thawed later; do [ "$(marks $word | wc -l)" = 2 ] || fail "$(marks $word | wc -l) tasks of 2 were $word"; done
open=$(sql "SELECT count(*) FROM task WHERE state IN ('WAITING', 'PENDING', 'SCHEDULED', 'DISPATCHED', 'RUNNING')")
[ "$open" = 0 ] || fail "$open tasks are still open"
tasks=$(wc -l <"$work/before/tasks.ids")
figure "schema $was -> $is: $tasks tasks and $(wc -l <"$work/before/runs.ids") runs kept with their history, agents back after $back s, everything open ended as it should, once"
