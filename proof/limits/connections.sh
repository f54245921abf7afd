#!/usr/bin/env bash
# 2,600 idle connections on 1,024 file descriptors do not stop lite from answering and starting tasks.
# takes: about 2 min
. "$(dirname "$0")/../lib.sh"

ulimit -n 4096 2>/dev/null || [ "$(ulimit -n)" -ge 4096 ] || fail "this proof itself needs 4,096 file descriptors"
java() { "$(belay jdk)/bin/java" -XX:+UseSerialGC -Xmx256m "$@"; }
belay version >/dev/null
port=$(free_port)
start lite bash -c 'ulimit -n 1024; exec "$@"' bash "$root/belay" lite --port "$port"
lite=$pid
belay wait-ready --timeout 240s
token=$(find "$BELAY_HOME" -name token -type f -exec cat {} \; | head -n 1)
api=http://127.0.0.1:$port/api/v1
call() { curl -s -m 10 -H "Authorization: Bearer $token" "$@"; }
metric() { call "http://127.0.0.1:$port/metrics" | sed -n "s/^$1 //p" | head -n 1; }
state() { call "$api/tasks/$1" | field state; }
succeeded() { [ "$(state "$1")" = SUCCEEDED ]; }

watch_health "http://127.0.0.1:$port"
java "$tools/Attack.java" "$port" "$token" idle 2600 30 >"$work/attack" 2>&1 &
attacker=$!
started_pids+=("$attacker")
sleep 15
descriptors=$(ls "/proc/$lite/fd" | wc -l)
ran=0
for _ in {1..10}; do
  id=$(call -H 'Content-Type: application/json' -d '{"command": ["/bin/sh", "-c", "exit 0"]}' "$api/tasks" | field id || true)
  [ -n "$id" ] || fail "a submit got no answer while 2,600 connections idle ($descriptors descriptors in use)"
  wait_for 10 succeeded "$id" || fail "the task $id is $(state "$id") after 10 s ($descriptors descriptors in use)"
  ran=$((ran + 1))
done
open=$(metric belay_connections_open)
closed=$(metric belay_connections_closed_idle_total)
wait_for 60 gone "$attacker" || fail "the attack does not end"
line=$(cat "$work/attack")
echo "$line"
value() { grep -oE "$1=[0-9]+" <<<"$line" | head -n 1 | cut -d= -f2; }
[ "$(value submits_failed)" = 0 ] || fail "$(value submits_failed) submits of another client failed"
judge_health "idle connections"
if grep -q 'Too many open files' "$work/lite.log" "$BELAY_HOME"/*/*.log 2>/dev/null; then fail "the server ran out of descriptors"; fi
figure "2,600 idle connections on 1,024 descriptors: $ran tasks ran, $descriptors descriptors in use, ${open%.*} connections open," \
  "${closed%.*} idle ones closed, health p99 $p99 ms, $(value submits_ok) submits of another client accepted"
