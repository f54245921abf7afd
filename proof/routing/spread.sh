#!/usr/bin/env bash
# 500 tasks that arrive at once on 10 equal idle workers of 100 slots: each worker gets 50, give or take 2.
# takes: about 1 min
#
# The tasks sleep for longer than it takes to place them all, so no worker gets a slot back meanwhile.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 1 --agents 0
workers=()
for number in {1..10}; do workers+=("equal-$number:default:100"); done
start_workers workers "${workers[@]}"

post_tasks 500 '"name": "one", "command": ["sleep", "5"]'
wait_for 60 ended 500 || fail "not all tasks ended"
counts=$(sql "SELECT count(*) FROM attempt GROUP BY worker_id ORDER BY 1")
echo "tasks of each worker: $(paste -sd' ' - <<<"$counts")"
[ "$(sql 'SELECT count(*) FROM attempt')" = 500 ] || fail "some tasks had more than one attempt"
[ "$(wc -l <<<"$counts")" = 10 ] || fail "only $(wc -l <<<"$counts") workers had a task"
least=$(head -n 1 <<<"$counts") most=$(tail -n 1 <<<"$counts")
at_least "$least" 48 "tasks of the worker that had fewest"
below "$most" 53 "tasks of the worker that had most"
figure "500 tasks at once on 10 idle workers: $least to $most each"
