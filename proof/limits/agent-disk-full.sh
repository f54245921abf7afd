#!/usr/bin/env bash
# An agent with a full disk stays, says so, takes no work, and ends its running tasks truthfully.
# takes: about 4 min
#
# Strict tasks lose nothing. New tasks go to another agent. With space again, the agent takes work again. The proof needs root,
# because it mounts a small disk.
. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" = 0 ] || fail "needs root, to mount a small disk"
disk=$work/small
finish() { # unmounts the disk before lib.sh removes the folder that it is in
  local code=$?
  set +e
  for each in ${started_pids[@]+"${started_pids[@]}"}; do stop "$each"; done
  umount -l "$disk" 2>/dev/null || true
  (exit "$code")
  cleanup
}
trap finish EXIT
mkdir "$disk"
mount -t tmpfs -o size=64m,mode=700 tmpfs "$disk" || fail "cannot mount a tmpfs here"

one() { submit_tasks 1 "$@"; }
task_field() { call "/api/v1/tasks/$1" | field "$2"; }
in_state() { [ "$(task_field "$1" state)" = "$2" ]; }
# worker_field NAME FIELD: of the only worker with that name.
worker_field() { call "/api/v1/workers?limit=500" | tr -d '\n' | grep -oE '\{[^{}]*(\{[^{}]*\}[^{}]*)*\}' | grep "\"name\" *: *\"$1\"" | field "$2"; }
in_trouble() { worker_field small trouble | grep -q 'disk full'; }
well() { case $(worker_field small trouble) in '' | null) return 0 ;; *) return 1 ;; esac; }

start_cluster --replicas 1 --agents 0
start small belay agent --name small --dir "$disk" --slots 8 --server "$api" --join-token-file "$cluster/join-token"
small=$pid
wait_for 180 connected small || fail "the agent does not connect"

# Three tasks run while the disk fills: one writes much afterwards, one fails, one is strict and outlives two leases of 60 s.
gate=$work/gate
chatty=$(one "m start; echo before; until [ -e $gate ]; do sleep 0.1; done; head -c 8000000 /dev/zero | tr '\\\\0' x | fold -w 99; m end")
failing=$(one "m start; until [ -e $gate ]; do sleep 0.1; done; exit 3")
strict=$(one "m start; until [ -e $gate ]; do sleep 0.1; done; sleep 130; m end" ', "fencing": "strict"')
wait_for 30 marked start 3 || fail "tasks do not start"
wait_for 30 are_in RUNNING 3 || fail "tasks are not RUNNING"

echo "filling the disk of the agent"
watch_health "$api"
dd if=/dev/zero of="$disk/fill" bs=64k 2>/dev/null || true
full=$(now)
if wait_for 10 in_trouble; then said=$(since "$full"); else said=; fi
touch "$gate"
sleep 6
alive "$small" || { tail -n 3 "$work/small.log"; fail "the agent ended when its disk was full"; }
wait_for 30 in_state "$chatty" SUCCEEDED || fail "the chatty task is $(task_field "$chatty" state): $(task_field "$chatty" reason)"
wait_for 30 in_state "$failing" FAILED || fail "the failing task is $(task_field "$failing" state)"
[ "$(task_field "$failing" reason)" = "exit_code: 3" ] || fail "the failing task says $(task_field "$failing" reason)"
[ -n "$said" ] || fail "the worker does not say that its disk is full"
belay_workers=$(BELAY_SERVER=$api BELAY_TOKEN_FILE=$cluster/token belay workers) || fail "belay workers does not answer"
grep -q 'CONNECTED (disk full)' <<<"$belay_workers" || fail "belay workers does not say so: $belay_workers"
call /api/v1/alerts | grep -q 'worker small: disk full' || fail "no alert"
lost=$(call "/api/v1/tasks/$chatty/attempts" | field output_lost)
[ "${lost:-null}" != null ] || fail "the attempt does not say that output was lost"
log=$(call "/api/v1/tasks/$chatty/logs")
grep -q 'before' <<<"$log" || fail "the log lacks the output from before"
grep -q '\[belay: .* bytes of output were lost here: disk full\]' <<<"$log" || fail "the log does not say what is missing"

# New tasks wait and use no attempt; strict tasks too.
waiting=$(one "m start2; m end2")
waiting_strict=$(one "m start2; m end2" ', "fencing": "strict"')
sleep 5
for each in "$waiting" "$waiting_strict"; do
  in_state "$each" SCHEDULED || fail "a task that no worker can take is $(task_field "$each" state): $(task_field "$each" reason)"
done
start other belay agent --name other --dir "$work/other" --slots 4 --server "$api" --join-token-file "$cluster/join-token"
other=$pid
wait_for 180 connected other || fail "the other agent does not connect"
for each in "$waiting" "$waiting_strict"; do
  wait_for 30 in_state "$each" SUCCEEDED || fail "a waiting task does not go to the other agent: $(task_field "$each" reason)"
  [ "$(task_field "$each" lost_count)" = 0 ] || fail "the full disk counted as a lost attempt"
done
wait_for 150 in_state "$strict" SUCCEEDED || fail "the strict task is $(task_field "$strict" state): $(task_field "$strict" reason)"
[ "$(task_field "$strict" lost_count)" = 0 ] || fail "the strict task lost an attempt"
twice start
judge_health "disk of the agent full"

# The disk has space again.
stop "$other"
rm "$disk/fill"
freed=$(now)
wait_for 10 well || fail "the worker does not say that it has space again"
again=$(since "$freed")
last=$(one "m start3; m end3")
wait_for 20 in_state "$last" SUCCEEDED || fail "the agent takes no work again: $(task_field "$last" state)"
alive "$small" || fail "the agent ended"
stacks=$(cat "$work/small/belay.log" "$work/small.log" | { grep -cE '^[[:space:]]+at ' || true; })
below "$stacks" 50 "lines of stack traces in the agent's log"
figure "disk full: the agent says so after $said s and stays, health p99 $p99 ms, 3 running tasks end truthfully ($lost bytes of output marked as lost), 2 new tasks go elsewhere without a lost attempt; ready for work $again s after space returned; $stacks lines of stack traces"
