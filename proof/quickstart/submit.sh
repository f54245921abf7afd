#!/usr/bin/env bash
# lite starts, runs a submitted task, and tells the task's story.
# takes: about 1 min
#
# The story names each state with its time and its reason. `submit --wait` exits with an error when the task fails.
. "$(dirname "$0")/../lib.sh"

belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port"
belay wait-ready --timeout 240s
belay submit --wait -- /bin/echo hi >"$work/submit.out" 2>&1 || { cat "$work/submit.out"; fail "submit --wait did not exit 0"; }
grep -q '^.*hi' "$work/submit.out" || { cat "$work/submit.out"; fail "submit --wait does not show the output of the task"; }
grep -q SUCCEEDED "$work/submit.out" || { cat "$work/submit.out"; fail "submit --wait does not show the final state"; }
id=$(grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' "$work/submit.out" | head -n 1)
belay task "$id" >"$work/story.out"
cat "$work/story.out"
for state in SCHEDULED DISPATCHED RUNNING SUCCEEDED; do
  grep -qE "[0-9]{2}:[0-9]{2}:[0-9]{2}.*$state|$state.*[0-9]{2}:[0-9]{2}:[0-9]{2}" "$work/story.out" || fail "the story has no time for $state"
done
for reason in submitted claimed started exit_code; do
  grep -q "$reason" "$work/story.out" || fail "the story has no reason $reason"
done
if belay submit --wait -- /bin/sh -c 'exit 3' >"$work/bad.out" 2>&1; then fail "submit --wait exits 0 for a task that failed"; fi
figure "submit --wait ends SUCCEEDED; belay task $id shows its four states with their times and reasons"
