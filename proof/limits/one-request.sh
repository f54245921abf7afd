#!/usr/bin/env bash
# No single request kills a server with a heap of 256 MB or keeps other clients from it.
# takes: about 3 min
#
# The attacks: small bodies that become large trees, uploads that stall, clients that do not read, and a hundred readers of a
# large page. During each, the proof probes health and another client submits tasks.
. "$(dirname "$0")/../lib.sh"

java() { "$(belay jdk)/bin/java" -XX:+UseSerialGC -Xmx512m "$@"; }
belay version >/dev/null
port=$(free_port)
BELAY_JAVA_OPTS=-Xmx256m start lite belay lite --port "$port"
lite=$pid
belay wait-ready --timeout 240s
token=$(find "$BELAY_HOME" -name token -type f -exec cat {} \; | head -n 1)
api=http://127.0.0.1:$port/api/v1
metric() { curl -s -m 10 -H "Authorization: Bearer $token" "http://127.0.0.1:$port/metrics" | sed -n "s/^$1[^ ]* //p" | head -n 1; }
rss() { awk '/VmHWM/ { print int($2 / 1024) }' "/proc/$lite/status"; }

attack() { # attack KIND COUNT SECONDS [PATH]: puts the line that the attack prints into $line
  watch_health "http://127.0.0.1:$port"
  line=$(java "$tools/Attack.java" "$port" "$token" "$@" || true)
  echo "$1 x $2: $line rss_mib=$(rss 2>/dev/null || true)"
  alive "$lite" || { tail -n 3 "$work/lite.log"; fail "$1: the server is dead"; }
  judge_health "$1"
  [ "$(value submits_ok)" -gt 0 ] || fail "$1: the server accepted no submit of another client"
  [ "$(value submits_failed)" = 0 ] || fail "$1: $(value submits_failed) submits of another client failed"
  worst=$(awk -v a="${worst:-0}" -v b="$p99" 'BEGIN { print (a > b ? a : b) }')
}
value() { grep -oE "$1=[0-9]+" <<<"$line" | head -n 1 | cut -d= -f2; }

# Large things to read: a workflow file of 4 MB, and runs with large parameters.
word() { head -c "$1" /dev/zero | tr '\0' x; }
{ printf 'name: large\ntask: {command: [/bin/true]}\n# '; word 4100000; echo; } >"$work/large.yaml"
curl -sf -m 60 -o "$work/registered" -H "Authorization: Bearer $token" -H 'Content-Type: application/yaml' --data-binary "@$work/large.yaml" \
  "$api/workflows" || fail "the server did not accept the large workflow"
printf 'name: keeps\nparams: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}}\ntask: {command: [/bin/true]}\n' >"$work/keeps.yaml"
curl -s -m 30 -o "$work/registered" -H "Authorization: Bearer $token" -H 'Content-Type: application/yaml' --data-binary "@$work/keeps.yaml" "$api/workflows"
{
  printf '{"params": {"a": "%s"' "$(word 90000)"
  for each in b c d e; do printf ', "%s": "%s"' "$each" "$(word 90000)"; done
  printf '}}'
} >"$work/run.json"
for _ in {1..130}; do
  curl -sf -m 30 -o "$work/triggered" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' --data-binary "@$work/run.json" "$api/workflows/keeps/runs" ||
    fail "the server did not accept a run with 450 KB of parameters"
done

attack none 1 5
attack objects 4 15
case $line in *post_201*) fail "the server accepted a body of millions of values" ;; esac
attack stall 40 12
answered=$(grep -oE '(open|closed)_408=[0-9]+' <<<"$line" | cut -d= -f2 | awk '{ all += $1 } END { print all + 0 }')
[ "$answered" = 40 ] || fail "$answered of 40 stalled uploads got 408"
attack unread 150 20 /api/v1/workflows/large
case $line in *open=* | *open_200=*) fail "clients that do not read a large answer are still connected" ;; esac
attack pages 100 10 "/api/v1/runs?limit=500"
attack pages 30 10 /api/v1/workflows/large
below "$(rss)" 800 "resident memory in MiB"
figure "-Xmx256m: 4 clients with 8 MiB of {}, 40 stalled uploads, 150 clients that do not read, 100 readers of a page of 58 MB of runs:" \
  "the server lives, $(rss) MiB at most, health p99 at most $worst ms, every submit of another client accepted; $(metric belay_readers_cut_total) readers cut off"
