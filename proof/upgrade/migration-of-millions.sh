#!/usr/bin/env bash
# A database with 2,000,000 tasks of older code migrates in less than 60 s, and an older server refuses politely meanwhile.
# takes: about 5 min
#
# One server of the older code keeps running, and clients ask it all the time: it answers 200 or 503, never anything else, and
# tells at the end that its schema is newer. No attempt and no step of a history is lost. BELAY_PROOF_BEFORE names the commit
# that fills the database, BELAY_PROOF_TASKS the number of tasks.
. "$(dirname "$0")/../lib.sh"

new=$root
root=$work/checkout
git -C "$new" worktree add --detach "$root" "${BELAY_PROOF_BEFORE:-a8b5c5c}" >/dev/null 2>&1 || fail "no such commit"
finish() {
  local code=$?
  set +e
  root=$new
  (
    (exit "$code")
    cleanup
  )
  git -C "$new" worktree prune
  exit "$code"
}
trap finish EXIT

tasks=${BELAY_PROOF_TASKS:-2000000}
chunk=$((tasks < 200000 ? tasks : 200000))
"$new/belay" version >/dev/null # builds it, before anybody waits for it
start_cluster --replicas 2 --agents 1

# Every tenth task belongs to a run, and every tenth needed a second attempt.
fill() { # fill FIRST LAST
  sql "
    WITH life AS MATERIALIZED (
      SELECT n, at, n % 10 = 0 AS of_run, n % 10 = 5 AS again,
             (stamp || '7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid AS id,
             (stamp || '7001' || '8' || lpad(to_hex(n), 15, '0'))::uuid AS dispatch,
             (stamp || '7002' || '8' || lpad(to_hex(n), 15, '0'))::uuid AS past,
             '00000000-0000-7000-8000-000000000001'::uuid AS worker, '00000000-0000-7000-8000-000000000002'::uuid AS session
      FROM (SELECT n, at, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS stamp
            FROM (SELECT n, now() - ($tasks - n) * interval '5 ms' AS at FROM generate_series($1::bigint, $2) AS n) AS numbered) AS stamped
    ), tasks AS (
      INSERT INTO task (id, run_id, tenant, name, state, priority, error_count, fencing_token, pool, reason, state_since, dispatch_id,
                        worker_id, session_id, created_at, dispatched_at, started_at, ended_at)
      SELECT id, CASE WHEN of_run THEN id END, 'default', 'filled', 'SUCCEEDED', 50, CASE WHEN again THEN 1 ELSE 0 END,
             CASE WHEN again THEN 2 ELSE 1 END, 'filled', 'exit_code: 0', at, dispatch, worker, session, at, at, at, at
      FROM life
    ), payloads AS (
      INSERT INTO task_payload (task_id, work, labels) SELECT id, '{\"action\":{\"command\":[\"true\"]}}', '{}' FROM life
    ), attempts AS (
      INSERT INTO attempt (dispatch_id, task_id, number, generation, worker_id, session_id, epoch, dispatched_at, started_at, ended_at,
                           end_reason, exit_code)
      SELECT dispatch, id, CASE WHEN again THEN 2 ELSE 1 END, 1, worker, session, 1, at, at, at, 'exit_code: 0', 0 FROM life
      UNION ALL
      SELECT past, id, 1, 1, worker, session, 1, at, at, at, 'exit_code: 1', 1 FROM life WHERE again
    )
    INSERT INTO history (task_id, from_state, to_state, reason, actor, dispatch_id, at)
    SELECT id, was::task_state, became::task_state, reason, actor, CASE which WHEN 1 THEN past WHEN 2 THEN dispatch END, at
    FROM life, (VALUES
      (1, 'alone', NULL, 'SCHEDULED', 'submitted', 'proof', 0), (1, 'of_run', NULL, 'WAITING', 'created', 'planner', 0),
      (2, 'of_run', 'WAITING', 'SCHEDULED', 'ready', 'planner', 0), (3, 'again', 'SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', 1),
      (4, 'again', 'DISPATCHED', 'RUNNING', 'started', 'worker', 1), (5, 'again', 'RUNNING', 'PENDING', 'exit_code: 1', 'worker', 1),
      (6, 'again', 'PENDING', 'SCHEDULED', 'due', 'scheduler', 0), (7, 'all', 'SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', 2),
      (8, 'all', 'DISPATCHED', 'RUNNING', 'started', 'worker', 2), (9, 'all', 'RUNNING', 'SUCCEEDED', 'exit_code: 0', 'worker', 2)
    ) AS step (place, kind, was, became, reason, actor, which)
    WHERE kind = 'all' OR (kind = 'of_run' AND of_run) OR (kind = 'alone' AND NOT of_run) OR (kind = 'again' AND again)
    ORDER BY n, place"
}
echo "filling $tasks tasks"
for ((first = 1; first <= tasks; first += chunk)); do fill "$first" $((first + chunk - 1 < tasks ? first + chunk - 1 : tasks)); done
sql "VACUUM (ANALYZE)" "CHECKPOINT"
recorded() {
  sql "SELECT from_state, to_state, reason, actor, count(*), count(DISTINCT task_id), count(dispatch_id) FROM history GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4" \
    "SELECT number, generation, end_reason, exit_code, count(*), count(started_at) FROM attempt GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4" \
    "SELECT state, reason, fencing_token, error_count, count(*), count(run_id), count(dispatch_id), count(ended_at) FROM task GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4" \
    "SELECT md5(string_agg(line, ',' ORDER BY line)) FROM (SELECT h.task_id || string_agg(h.to_state || h.reason || coalesce(h.dispatch_id::text, ''), ',' ORDER BY h.id) AS line FROM (SELECT id FROM task WHERE pool = 'filled' ORDER BY id LIMIT 100000) AS t JOIN history h ON h.task_id = t.id GROUP BY h.task_id) AS lines"
}
recorded >"$work/before.txt"

old=$(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | sed -n 2p | cut -d'"' -f4)
server=$(pid_of replica-1)
kill "$server"
wait_for 20 none_alive "$server" || fail "replica-1 does not stop"
ask() { # the older server, until the migration is over
  while [ ! -e "$work/over" ]; do
    curl -s -m 30 -o "$work/answer.txt" -w '%{http_code} %{time_total}\n' -H "Authorization: Bearer $(cat "$cluster/token")" \
      "$old/api/v1/tasks?limit=1" >>"$work/answers" || echo "none 30" >>"$work/answers"
    sleep 0.2
  done
}
ask &
asker=$!
started_pids+=("$asker")

root=$new
began=$(now)
belay cluster start --dir "$cluster" --replica 1
ready=$(since "$began")
took=$(sql "SELECT sum(execution_time) / 1000.0 FROM flyway_schema_history WHERE installed_on > now() - interval '10 minutes' AND CAST(version AS int) > 12")
touch "$work/over"
wait "$asker"
recorded >"$work/after.txt"
diff "$work/before.txt" "$work/after.txt" || fail "the migrated database shows other tasks, attempts or steps"
[ -n "$(curl -s -m 30 -H "Authorization: Bearer $(cat "$cluster/token")" "$old/api/v1/tasks?limit=1" | grep 'update this server')" ] ||
  fail "the older server does not tell that the schema is newer"
rude=$(cut -d' ' -f1 "$work/answers" | grep -cvE '^(200|503)$' || true)
[ "$rude" = 0 ] || { sort "$work/answers" | uniq -c | sort -rn | head; fail "$rude answers of the older server were neither 200 nor 503"; }
refused=$(grep -c '^503' "$work/answers" || true)
slowest=$(cut -d' ' -f2 "$work/answers" | sort -n | tail -n 1)
echo "migration $took s, new server ready after $ready s; $refused refusals of the older server, the slowest answer after $slowest s"
at_least "$refused" 1 "refusals of the older server"
below "$slowest" 15 "slowest answer of the older server, s"
below "$ready" 60 "seconds until the new server is ready"
figure "$tasks tasks migrate in $took s (new server ready after $ready s) with all attempts and steps; the older server refused $refused calls, the slowest after $slowest s"
