#!/usr/bin/env bash
# lite runs a fan-out of 2,000 tasks and its fan-in with a heap of 512 MB.
# takes: about 1 min
. "$(dirname "$0")/../lib.sh"

{
  echo "name: two-thousand"
  echo "tasks:"
  echo "  - {name: begin, command: [/bin/true]}"
  for i in $(seq 1 2000); do echo "  - {name: t$i, command: [/bin/true], depends_on: [begin]}"; done
  echo "  - name: end"
  echo "    command: [/bin/true]"
  echo "    depends_on: [$(seq -s, -f 't%g' 1 2000)]"
} >"$work/two-thousand.yaml"

belay version >/dev/null
port=$(free_port)
BELAY_JAVA_OPTS="-Xmx512m" start lite belay lite --port "$port" --slots 16
belay wait-ready --timeout 240s
before=$SECONDS
belay run "$work/two-thousand.yaml" -o json >"$work/run.json" 2>"$work/run.log" || { tail -n 20 "$work/run.log"; fail "belay run did not exit 0"; }
took=$((SECONDS - before))
count=$(tr -d '\n ' <"$work/run.json" | grep -oE '"state":"SUCCEEDED"' | wc -l)
[ "$count" -ge 2002 ] || fail "only $count tasks SUCCEEDED"
figure "2,002 tasks succeeded in $took s with -Xmx512m"
