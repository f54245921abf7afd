#!/usr/bin/env bash
# A forged worker that knows the join token gets no task; a revoked worker is cut off and stays out.
# takes: about 3 min
#
# The forger says hello 200 times, with the id of a real worker and a start in the year 9999. The real worker keeps its session,
# and an alert names it. Then an agent starts with a lost count, a damaged id and a wrong token in its folder. At the end the
# worker is revoked: its stream is cut, its task runs elsewhere, and its agent stops.
. "$(dirname "$0")/../lib.sh"

# worker NAME ARGS: like start_agent, but waits longer, for a busy machine.
worker() {
  start "$1" belay agent --name "$1" --dir "$work/$1" --join-token-file "$cluster/join-token" --server "$api" "${@:2}"
  wait_for 240 connected "$1" || fail "$1 does not connect: $(tail -n 3 "$work/$1.log")"
}

start_cluster --replicas 2 --agents 1 --slots 2
worker victim --slots 8 --pool vault
victim=$pid
id=$(cat "$work/victim/worker-id")
session() { sql "SELECT session_id FROM worker WHERE id = '$id'"; }
before=$(session)
secret=',"pool":"vault","env":{"SECRET":"s3cr3t"}'
submit_tasks 1 'm start; sleep 600; m end' "$secret" >/dev/null
wait_for 120 marked start 1 || fail "the task of the victim does not start"

# Another client submits tasks during the attack.
others() {
  while :; do
    call /api/v1/tasks -H 'Content-Type: application/json' -o /dev/null -w '%{http_code}\n' \
      -d '{"name":"other","command":["/bin/true"]}' >>"$work/submit.codes"
    sleep 0.05
  done
}
others &
started_pids+=($!)
watch_health "$api"
tool ForgedWorker.java "$api" "$cluster/join-token" "$id" 60 200 >"$work/flood.out" 2>"$work/flood.err" &
flood=$!
started_pids+=("$flood")
wait_for 120 grep -qE 'WELCOME|REJECT' "$work/flood.out" || fail "the forged worker gets no answer: $(cat "$work/flood.out")"
# Tasks with a secret, while the forger pretends to be their worker.
submit_tasks 5 'm secret; m done' "$secret" >/dev/null
wait "$flood" || true
stolen=$(grep -c '^PAYLOAD' "$work/flood.out" || true)
[ "$stolen" = 0 ] || fail "the forged worker got $stolen payloads: $(grep -m1 '^PAYLOAD' "$work/flood.out"); $(marks secret | wc -l) of 5 tasks ran, $(count_tasks SUCCEEDED) count as SUCCEEDED"
refused=$(grep -c '^REJECT permanent=true' "$work/flood.out" || true)
at_least "$refused" 200 "hellos refused permanently"
! grep -q WELCOME "$work/flood.out" || fail "the server welcomed the forged worker"
wait_for 120 marked secret 5 || fail "$(marks secret | wc -l) of 5 tasks ran on the real worker"
[ "$(session)" = "$before" ] || fail "the real worker lost its session"
call /api/v1/alerts >"$work/alerts.json"
grep -q 'worker_key_refused' "$work/alerts.json" || fail "no alert says worker_key_refused: $(cat "$work/alerts.json")"
grep -q "worker victim ($id)" "$work/alerts.json" || fail "the alert does not name the worker"
grep -q '127.0.0.1' "$work/alerts.json" || fail "the alert does not name the address"
[ "$(grep -o worker_key_refused "$work/alerts.json" | wc -l)" -le 2 ] || fail "each hello makes an alert"
counted=$(call /metrics | sed -n 's/^belay_hellos_refused_total{why="wrong_key"} //p')
at_least "${counted:-0}" 200 "hellos counted as wrong_key"
[ "$(grep -h 'hello refused' "$cluster"/*.log "$cluster"/*/*.log 2>/dev/null | wc -l)" -le 4 ] || fail "each hello makes a line in the log"
judge_health "forged hellos"
codes=$(sort "$work/submit.codes" | uniq -c | tr -s ' \n' ' ')
! grep -qv '^20' "$work/submit.codes" || fail "another client's submits: $codes"

# Damaged files in an agent's folder. `pump` is another worker, so that the victim's task runs on.
worker pump --slots 1 --pool water
pump=$pid
water=$(cat "$work/pump/worker-id")
damage() { # damage FILE: kills the agent, overwrites a file of its folder with bytes that are no text, starts it again
  kill -9 "$pump"
  wait "$pump" 2>/dev/null || true
  at=$(sql "SELECT now()")
  printf '\377\376\200\377' >"$work/pump/$1"
  start pump belay agent --name pump --dir "$work/pump" --join-token-file "$cluster/join-token" --server "$api" --slots 1 --pool water
  pump=$pid
  wait_for 240 fresh || fail "an agent with a damaged $1 does not join: $(tail -n 3 "$work/pump.log")"
}
fresh() { [ "$(sql "SELECT count(*) FROM worker WHERE name = 'pump' AND state = 'CONNECTED' AND connected_at > '$at'")" = 1 ]; }
damage session-number
[ "$(cat "$work/pump/worker-id")" = "$water" ] || fail "a damaged count changed the worker's id"
damage worker-id
[ -e "$work/pump/worker-id.damaged" ] || fail "the agent did not keep the damaged worker-id"
[ "$(stat -c %a "$work/pump/worker-key")" = 600 ] || fail "other users can read the key"
belay workers --server "$api" --token-file "$cluster/token" | grep -q "REPLACED.*$water" || fail "the old pump is not listed as REPLACED"
echo "this-is-not-the-join-token-of-the-server" >"$work/wrong-token"
code=0
timeout 240 "$root/belay" agent --name w --dir "$work/w" --join-token-file "$work/wrong-token" --server "$api" >"$work/w.log" 2>&1 || code=$?
[ "$code" = 3 ] || fail "an agent with a wrong join token exits $code: $(tail -n 3 "$work/w.log")"
grep -q 'does not take the join token' "$work/w.log" || fail "an agent with a wrong join token says: $(tail -n 3 "$work/w.log")"

# A revoked worker: its task runs elsewhere, and it does not come back.
worker heir --slots 8 --pool vault
at=$(now)
belay workers revoke victim --server "$api" --token-file "$cluster/token" -o json >"$work/revoked.json"
belay workers revoke "$id" --server "$api" --token-file "$cluster/token" >/dev/null
wait_for 120 gone "$victim" || fail "the agent of the revoked worker still runs"
cut=$(since "$at")
wait_for 120 marked start 2 || fail "the task of the revoked worker does not run elsewhere"
moved=$(since "$at")
[ "$(sql "SELECT count(*) FROM attempt WHERE worker_id = '$id' AND end_reason = 'worker_gone'")" -ge 1 ] || fail "its attempt did not end worker_gone"
code=0
timeout 240 "$root/belay" agent --name victim --dir "$work/victim" --join-token-file "$cluster/join-token" --server "$api" --pool vault >"$work/back.log" 2>&1 || code=$?
[ "$code" = 3 ] && grep -q "was revoked" "$work/back.log" || fail "the revoked worker came back ($code): $(tail -n 3 "$work/back.log")"
belay workers allow "$id" --server "$api" --token-file "$cluster/token" >/dev/null
worker victim --slots 8 --pool vault
[ "$(cat "$work/victim/worker-id")" = "$id" ] || fail "the worker that was allowed has another id"
figure "$refused of $refused forged hellos refused, 0 payloads stolen, the real worker keeps its session, 1 alert; meanwhile health p99 $p99 ms and $(grep -c . "$work/submit.codes") submits accepted; the agent of the revoked worker ended after $cut s, its task ran elsewhere after $moved s"
