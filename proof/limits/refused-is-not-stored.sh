#!/usr/bin/env bash
# A request that the server refused stores nothing, also when PostgreSQL freezes under it.
# takes: about 4 min
#
# PostgreSQL freezes for 15 s under submits, three times. Then six workflow files at once take too long to check and get 503.
# A refused request never appears later; an accepted one always does. Only a commit on its way may get 504 (unknown).
. "$(dirname "$0")/../lib.sh"

java() { "$(belay jdk)/bin/java" -XX:+UseSerialGC -Xmx256m "$@"; }
belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port"
lite=$pid
belay wait-ready --timeout 240s
token=$(find "$BELAY_HOME" -name token -type f -exec cat {} \; | head -n 1)
api=http://127.0.0.1:$port/api/v1

postgres() { # the pid of every process of the embedded database
  local each
  for each in $(descendants "$lite"); do
    [ "$(cat "/proc/$each/comm" 2>/dev/null)" != postgres ] || echo "$each"
  done
}
healthy() { curl -sf -m 5 -o /dev/null "http://127.0.0.1:$port/monitor/health"; }

java "$tools/Refused.java" "$port" "$token" "$work/stop" >"$work/counts" 2>&1 &
submitter=$!
started_pids+=("$submitter")
sleep 4
for _ in 1 2 3; do
  frozen=$(postgres)
  [ -n "$frozen" ] || fail "no PostgreSQL to freeze"
  kill -STOP $frozen
  sleep 15
  kill -CONT $frozen
  wait_for 60 healthy || fail "not healthy 60 s after PostgreSQL went on"
  sleep 3
done
touch "$work/stop"
wait_for 120 gone "$submitter" || fail "the submitter does not end"
line=$(cat "$work/counts")
echo "$line"
value() { grep -oE "(^| )$1=[0-9]+" <<<"$line" | head -n 1 | cut -d= -f2; }
[ "$(value accepted)" -gt 0 ] || fail "the server accepted nothing"
[ "$(value refused)" -gt 0 ] || fail "the server refused nothing: PostgreSQL was not frozen long enough"
[ "$(value missing)" = 0 ] || fail "$(value missing) accepted tasks are missing"
[ "$(value refused_stored)" = 0 ] || fail "$(value refused_stored) of $(value refused) refused tasks were stored: $line"

# Six files of 10,000 expressions at once: a file that got 503 must not exist, also a minute later.
for i in 1 2 3 4 5 6; do
  { echo "name: slow$i"; echo "params: {p: {type: string, default: a}}"; echo "tasks:"
    for j in $(seq 1 10000); do echo "  - {name: t$j, command: [/bin/echo, '\${{ params.p + \"$i-$j\" }}']}"; done; } >"$work/slow$i.yaml"
  curl -s -m 100 -o "$work/slow$i.out" -w '%{http_code}' -H "Authorization: Bearer $token" -H 'Content-Type: application/yaml' \
    --data-binary "@$work/slow$i.yaml" "$api/workflows" >"$work/slow$i.code" || true &
done
wait $(jobs -p | grep -vx "$lite" | grep -vx "$submitter") || true
sleep 60
late=0
looked() {
  there=$(curl -s -m 20 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$api/workflows/slow$1" || true)
  [ "$there" = 200 ] || [ "$there" = 404 ]
}
for i in 1 2 3 4 5 6; do
  code=$(cat "$work/slow$i.code")
  wait_for 180 looked "$i" || fail "no answer to GET workflows/slow$i in 180 s"
  echo "slow$i: got $code, then GET says $there"
  case $code:$there in
    503:200) fail "slow$i was refused with 503 and is stored" ;;
    503:*) late=$((late + 1)) ;;
    201:200 | 000:* | 504:*) ;;
    *) fail "slow$i: got $code, then GET says $there" ;;
  esac
done
figure "3 freezes of PostgreSQL under submits: all of $(value accepted) accepted tasks exist, none of $(value refused) refused ones," \
  "$(value unknown) unknown; 6 slow files at once: $late got 503, and none of those is stored"
