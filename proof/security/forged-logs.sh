#!/usr/bin/env bash
# Nobody can write into the log of another worker's task, with the join token or as a worker.
# takes: about 2 min
#
# Two forgers append to the log, seal it, and invent dispatches for 10 s each: one has only the join token, the other is a
# worker. Afterwards the task's log is complete and no file was made. Meanwhile health answers and other tasks end.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 1 --agents 0
start_agent victim --pool victim
start_agent forger --pool forger
join=$cluster/join-token
logs=$cluster/task-logs
# The task writes half of its log before the attack and half after it.
write='i=0; while [ $i -lt 250 ]; do echo line $i; i=$((i + 1)); done'
pause="n=0; while [ ! -e $work/health.over ] && [ \$n -lt 3000 ]; do sleep 0.1; n=\$((n + 1)); done"
submit_tasks 1 "$write; m start; $pause; $write; m end" ', "pool": "victim"' >"$work/id"
task=$(cat "$work/id")
wait_for 20 marked start 1 || fail "the task does not start"
has_log() { [ -n "$(find "$logs" -type f)" ]; }
wait_for 20 has_log || fail "the task has no log"
dispatch=$(sql "SELECT dispatch_id FROM task WHERE id = '$task'")

others() {
  while [ ! -e "$work/health.over" ]; do
    call /api/v1/tasks -H 'Content-Type: application/json' -d '{"name": "other", "pool": "forger", "command": ["/bin/true"]}' >>"$work/others" || true
    sleep 0.2
  done
}
watch_health "$api"
others &
started_pids+=($!)
tool ForgedLogs.java "$api" "$join" - "$dispatch" 10 >"$work/anonymous" 2>"$work/anonymous.err" || { cat "$work/anonymous.err"; fail "the forger failed"; }
tool ForgedLogs.java "$api" "$join" "$work/forger" "$dispatch" 10 >"$work/worker" 2>"$work/worker.err" || { cat "$work/worker.err"; fail "the forger failed"; }
judge_health "forged logs"
sed 's/^/  join token only: /' "$work/anonymous"
sed 's/^/  another worker:  /' "$work/worker"

wait_for 90 marked end 1 || fail "the task does not end"
is_complete() { find "$logs" -name "$dispatch.log" | grep -q .; }
wait_for 20 is_complete || true
belay logs --server "$api" --token-file "$cluster/token" "$task" >"$work/log" || fail "belay logs shows no log"
lines=$(grep -cE ' O line [0-9]+$' "$work/log" || true)
forged=$(grep -c FORGED "$work/log" || true)
files=$(find "$logs" -type f | wc -l)
invented=$(cat "$work/anonymous" "$work/worker" | awk '$1 == "invented" { sum += $2 } END { print sum }')
submitted=$(grep -oE '"id" *: *"[^"]*"' "$work/others" | wc -l)
echo "  the log has $lines of 500 lines, $forged forged; $files files; $invented dispatches invented; $submitted tasks of another client"
! grep -qE '^(append|seal) stored' "$work/anonymous" "$work/worker" || fail "a forged piece was stored"
[ "$forged" = 0 ] || fail "the log holds $forged forged lines"
[ "$lines" = 500 ] || fail "the log has $lines of 500 lines"
[ "$files" = 1 ] || fail "$files files, but only one log"
[ "$invented" -gt 20 ] || fail "the forgers invented only $invented dispatches"
[ "$submitted" -gt 20 ] || fail "the server accepted only $submitted tasks of another client"
others_done() { [ "$(call "/api/v1/tasks?name=other&state=SUCCEEDED&limit=500" | grep -oE '"id" *:' | wc -l)" = "$submitted" ]; }
wait_for 30 others_done || fail "some tasks of another client did not end"
modes=$(find "$logs" \( -type f ! -perm 600 \) -o \( -type d ! -perm 700 \) | wc -l)
[ "$modes" = 0 ] || fail "other users can read $modes files or folders of logs"
figure "none of $invented invented dispatches and no append or seal stored; the log is complete ($lines of 500 lines); health p99 $p99 ms; $submitted of $submitted tasks of another client ended"
