#!/usr/bin/env bash
# lite, wait-ready, submit --wait; then the task's story names each state with its time and reason.
. "$(dirname "$0")/lib.sh"

belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port"
belay wait-ready --timeout 90s
belay submit --wait -- /bin/echo hi >"$work/submit.out" 2>&1 || { cat "$work/submit.out"; fail "submit --wait did not end 0"; }
grep -q '^.*hi' "$work/submit.out" || { cat "$work/submit.out"; fail "the output of the task is not shown"; }
grep -q SUCCEEDED "$work/submit.out" || { cat "$work/submit.out"; fail "the final state is not shown"; }
id=$(grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' "$work/submit.out" | head -n 1)
belay task "$id" >"$work/story.out"
cat "$work/story.out"
for state in SCHEDULED DISPATCHED RUNNING SUCCEEDED; do
  grep -qE "[0-9]{2}:[0-9]{2}:[0-9]{2}.*$state|$state.*[0-9]{2}:[0-9]{2}:[0-9]{2}" "$work/story.out" || fail "no time for $state in the story"
done
for reason in submitted claimed started exit_code; do
  grep -q "$reason" "$work/story.out" || fail "no reason $reason in the story"
done
if belay submit --wait -- /bin/sh -c 'exit 3' >"$work/bad.out" 2>&1; then fail "a failed task ended 0"; fi
figure "submit --wait: SUCCEEDED, and task $id tells its four states with time and reason"
