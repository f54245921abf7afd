#!/usr/bin/env bash
# A server with a full log disk goes on, says what is missing, and gets the logs later; 200 MB of output stay bounded.
# takes: about 4 min
#
# The disk is a small tmpfs that the proof fills, so it needs root. Meanwhile tasks succeed, health is fine, and the server
# complains at most once a minute. Then a task writes 200 MB: its log keeps the beginning and the end, a line says how much
# was left out, and both disks stay within their limits.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 1 --agents 1
logs=$cluster/task-logs
server_log=$cluster/logs/replica-1.log
mount -t tmpfs -o size=64m,mode=700 belay-proof "$logs" || fail "this proof mounts a tmpfs: run it as root"
unmount() {
  local code=$?
  umount -l "$logs" 2>/dev/null || true
  (exit "$code")
  cleanup
}
trap unmount EXIT

shown() { belay logs --server "$api" --token-file "$cluster/token" "$1" >"$work/log.$1" 2>"$work/log.err" || return 1; }
say='i=0; while [ $i -lt 500 ]; do echo line $i of some text that takes about a hundred bytes in the log of this task; i=$((i + 1)); done'

echo "the disk fills"
watch_health "$api"
head -c 100M /dev/zero >"$logs/filler" 2>/dev/null || true
lines_before=$(wc -l <"$server_log")
from=$(now)
submit_tasks 10 "$say; m end" >"$work/ids"
first=$(head -n 1 "$work/ids")
wait_for 60 are_in SUCCEEDED 10 || fail "only $(count_tasks SUCCEEDED) of 10 tasks succeed while the log disk is full"
took=$(since "$from")
rounds=0
while awk -v since="$(since "$from")" 'BEGIN { exit !(since < 75) }'; do # more than a minute, with new logs all the time
  submit_tasks 1 "$say; m end" >>"$work/ids"
  rounds=$((rounds + 1))
  sleep 1
done
wait_for 30 are_in SUCCEEDED $((10 + rounds)) || fail "$(count_tasks SUCCEEDED) of $((10 + rounds)) tasks succeed"
tail -n +$((lines_before + 1)) "$server_log" >"$work/complaints"
complaints=$(grep -cE '(WARN|ERROR).*[Ll]og' "$work/complaints" || true)
stack=$(grep -cE '^\s+at |^\s*Caused by' "$work/complaints" || true)
shown "$first" || fail "belay logs fails while the disk is full: $(cat "$work/log.err")"
missing=$(grep '^\[belay: ' "$work/log.$first" || true)
header=$(curl -s -D - -o /dev/null -H "Authorization: Bearer $(cat "$cluster/token")" "$api/api/v1/tasks/$first/logs" | tr -d '\r' | sed -n 's/^belay-log-missing: //p')
judge_health "log disk full"
echo "  10 tasks in $took s and $rounds more in 75 s; $complaints complaints, $stack lines of stack traces"
echo "  belay logs says: $missing (header: $header bytes)"
[ "$stack" = 0 ] || fail "the server logs $stack lines of stack traces while its log disk is full"
[ "$complaints" -le 3 ] || fail "the server complains $complaints times in 75 s"
[[ $missing == *'missing here: the server'* ]] || fail "belay logs does not say what is missing"
[ "${header:-0}" -gt 40000 ] || fail "the header says $header bytes are missing"

echo "space returns"
rm "$logs/filler"
freed=$(now)
is_whole() { shown "$1" && [ "$(grep -c ' O line ' "$work/log.$1")" = 500 ] && ! grep -q '^\[belay: ' "$work/log.$1"; }
for id in $first $(tail -n 1 "$work/ids"); do
  wait_for 60 is_whole "$id" || { grep '^\[belay' "$work/log.$id"; fail "the log of $id is not complete 60 s after space returned"; }
done
all_complete() { [ "$(find "$logs" -name '*.log' | wc -l)" = $((10 + rounds)) ]; }
wait_for 60 all_complete || fail "$(find "$logs" -name '*.log' | wc -l) of $((10 + rounds)) logs came"
back=$(since "$freed")
echo "  all $((10 + rounds)) logs are complete after $back s"

echo "200 MB of output"
spool=$cluster/agent-1/logs
[ -d "$spool" ] || spool=$(find "$cluster" -type d -path '*agent-1*' -name logs | head -n 1)
submit_tasks 1 'awk \"BEGIN { for (i = 0; i < 2000000; i++) printf \\\"%099d\\\\n\\\", i }\"; echo THE LAST LINE; m big' >"$work/big"
big=$(cat "$work/big")
spool_max=0
big_done() {
  local now_bytes
  now_bytes=$(du -sb "$spool" 2>/dev/null | cut -f1)
  [ "${now_bytes:-0}" -le "$spool_max" ] || spool_max=$now_bytes
  marked big 1
}
wait_for 300 big_done || fail "the task of 200 MB does not end"
wait_for 60 are_in SUCCEEDED $((11 + rounds)) || fail "the task of 200 MB does not succeed"
ends() { shown "$big" && grep -q ' O THE LAST LINE$' "$work/log.$big"; }
wait_for 30 ends || fail "the log of 200 MB lacks its end: $(tail -n 1 "$work/log.$big" | cut -c 1-120)"
size=$(wc -c <"$work/log.$big")
left_out=$(grep -oE '^\[belay: [0-9.]+ [KMG]iB left out here\]$' "$work/log.$big" || true)
head -n 1 "$work/log.$big" | grep -qE ' O 0{99}$' || fail "the log lacks its first line"
grep -qE ' O 0+1999999$' "$work/log.$big" || fail "the log lacks the last numbers"
[ -n "$left_out" ] || fail "no line says what was left out"
below "$size" $((10 * 1024 * 1024 + 1)) "the bytes of the log"
below "$spool_max" $((12 * 1024 * 1024)) "the bytes of the agent's spool"
figure "log disk full: tasks end in $took s, $complaints complaints in 75 s, no stack trace, health p99 $p99 ms, \"$missing\"; logs complete $back s after space returned; 200 MB of output: $size bytes kept, \"$left_out\", spool at most $spool_max bytes"
