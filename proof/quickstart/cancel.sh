#!/usr/bin/env bash
# Cancelling a run ends 100 tasks that ignore SIGTERM within 10 s.
# takes: about 1 min
. "$(dirname "$0")/../lib.sh"

mark=stubborn-$$-$RANDOM
{
  echo "name: stubborn"
  echo "tasks:"
  for i in $(seq 1 100); do
    echo "  - {name: t$i, command: [/bin/sh, -c, \"trap '' TERM; while :; do sleep 600 & wait; done\", $mark]}"
  done
} >"$work/stubborn.yaml"

belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port" --slots 120
belay wait-ready --timeout 240s
belay register "$work/stubborn.yaml" >/dev/null
run=$(belay trigger stubborn -o json | field id)
processes() { { grep -lzs "^BELAY_RUN_ID=$run" /proc/[0-9]*/environ || true; } | wc -l; }
running() { [ "$(belay tasks --run "$run" --state RUNNING --limit 500 -o json 2>/dev/null | grep -oE '"state" *: *"RUNNING"' | wc -l)" -ge 100 ]; }
wait_for 90 running || fail "the 100 tasks do not all run"
there=$(processes)
[ "$there" -ge 100 ] || fail "only $there processes of tasks"
belay cancel "$run" >/dev/null
cancelled=$(date +%s%N)
none() { [ "$(processes)" = 0 ]; }
wait_for 10 none || fail "$(processes) of $there processes are left 10 s after the cancel"
took=$((($(date +%s%N) - cancelled) / 1000000))
ended() { [ "$(belay show "$run" -o json | field state)" = CANCELLED ]; }
wait_for 10 ended || fail "the run is $(belay show "$run" -o json | field state)"
figure "$there processes that ignore SIGTERM were gone $took ms after the cancel; the run is CANCELLED"
