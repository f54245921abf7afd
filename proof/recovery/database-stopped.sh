#!/usr/bin/env bash
# PostgreSQL stops for 60 s under load; every accepted task ends once, and submits get 503 meanwhile.
# takes: about 3 min
#
# /monitor/health reports the outage. Each 503 comes within 5 s and has Retry-After. No process spins or floods a log.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 2 --slots 30
submit_tasks 20 'm start; sleep 30; m end' >/dev/null
submit_tasks 20 'm start; sleep 80; m end' >/dev/null
wait_for 30 marked start 40 || fail "40 tasks do not start"

# The load: a task every 0.2 s, each sent again under its own idempotency key until the server accepts it.
cat >"$work/line.json" <<END
{"name": "line", "command": ["/bin/sh", "-c", "echo \$BELAY_TASK_ID >> $work/lines"]}
END
load() {
  local n=0 answer
  while [ -e "$work/load" ]; do
    n=$((n + 1))
    while :; do
      answer=$(call /api/v1/tasks -H 'Content-Type: application/json' -H "Idempotency-Key: line-$n" \
        --data-binary "@$work/line.json" -D "$work/headers" -o "$work/answer" -w '%{http_code} %{time_total}' || true)
      case $answer in 201*) field id <"$work/answer" >>"$work/accepted" && break ;; esac
      echo "$answer $({ grep -i '^retry-after' "$work/headers" || true; } | tr -d '\r')" >>"$work/refused"
      sleep 1
    done
    sleep 0.2
  done
}
touch "$work/load"
load &
loader=$!
accepted() { [ "$(cat "$work/accepted" 2>/dev/null | wc -l)" -ge "$1" ]; }
wait_for 30 accepted 10 || fail "the load does not start"

cpu() { for replica in 1 2; do awk '{ sum += $14 + $15 } END { print sum }' "/proc/$(pid_of replica-$replica)/stat"; done | awk -v hz="$(getconf CLK_TCK)" '{ sum += $1 } END { printf "%.1f", sum / hz }'; }
log_lines() { cat "$cluster"/logs/replica-*.log "$cluster"/logs/agent-*.log | wc -l; }
keeper=$(pid_of postgres)
kill "$keeper"
wait_for 20 none_alive "$keeper" || fail "PostgreSQL does not stop"
away=$(now)
unhealthy() { [ "$(curl -s -m 5 -o "$work/health" -w '%{http_code}' "$api/monitor/health")" = 503 ] && tr -d '\n ' <"$work/health" | grep -q '"database":{"status":"unhealthy"'; }
wait_for 15 unhealthy || fail "/monitor/health does not say that the database is unhealthy"
said=$(since "$away")
cpu_before=$(cpu)
lines_before=$(log_lines)
sleep 40
unhealthy || fail "/monitor/health says that the database is healthy while it is stopped"
spent=$(awk -v from="$cpu_before" -v to="$(cpu)" 'BEGIN { printf "%.1f", to - from }')
logged=$(($(log_lines) - lines_before))
sleep "$(awk -v since="$(since "$away")" 'BEGIN { print since < 60 ? 60 - since : 0 }')"
belay cluster start --dir "$cluster" --database
back=$(now)
healthy() { [ "$(curl -s -m 5 -o /dev/null -w '%{http_code}' "$api/monitor/health")" = 200 ]; }
wait_for 30 healthy || fail "not healthy 30 s after the database started again"
well=$(since "$back")
sleep 5
rm "$work/load"
wait_for 30 gone "$loader" || fail "the load does not end"
wait "$loader" 2>/dev/null || true

below "$spent" 20 "CPU seconds of two servers in 40 s without a database"
below "$logged" 400 "lines logged in 40 s without a database"
[ "$(grep -c '^503' "$work/refused")" -ge 5 ] || { cat "$work/refused"; fail "fewer than 5 submits got 503"; }
grep '^503' "$work/refused" | grep -viq 'retry-after' && fail "a 503 has no Retry-After"
grep -qv '^503' "$work/refused" && { cat "$work/refused"; fail "an answer was neither 201 nor 503"; }
slowest=$(awk '$2 > worst { worst = $2 } END { printf "%.1f", worst }' "$work/refused")
below "$slowest" 5 "seconds until a 503"

total=$((40 + $(wc -l <"$work/accepted")))
all_done() { [ "$(sql "SELECT count(*) FROM task WHERE state = 'SUCCEEDED'")" = "$total" ]; }
wait_for 90 all_done || { sql "SELECT state, reason, count(*) FROM task GROUP BY 1, 2"; fail "not all $total succeeded"; }
ended_once 40
[ "$(sort -u "$work/lines" | wc -l)" = "$(wc -l <"$work/lines")" ] || fail "a task of the load ran twice"
[ "$(sort "$work/lines")" = "$(sort "$work/accepted")" ] || fail "the accepted tasks and the tasks that ran differ"
attempts=$(sql "SELECT count(*) FROM attempt")
[ "$attempts" = "$total" ] || fail "$attempts attempts of $total tasks"
figure "database stopped for 60 s: health reports it after $said s, $(wc -l <"$work/refused") submits get 503 with Retry-After (slowest $slowest s), healthy again $well s after its start; $total tasks ran once each; the servers use $spent CPU s and log $logged lines in 40 s"
