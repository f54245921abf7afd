#!/usr/bin/env bash
# Results that arrive up to 28 s late keep the true start and end of each attempt, to 100 ms.
# takes: about 4 min
#
# The causes: a cut network, an agent that is killed and restarted, frozen replicas, a stopped database. The proof compares
# with times that the tasks themselves write down. Task, attempt and history agree.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 1 --slots 10
servers=()
ways=()
for url in $(grep -oE '"url" : "http[^"]*' "$cluster/cluster.json" | cut -d'"' -f4); do
  port=$(free_port)
  ways+=("$port:${url##*:}")
  servers+=(--server "http://127.0.0.1:$port")
done
start proxy "$(belay jdk)/bin/java" "$tools/Cut.java" "$work/cut" "${ways[@]}"
wait_for 30 grep -q ready "$work/proxy.log" || fail "the proxy does not start"
start_agent far --pool far --slots 20 "${servers[@]}"
far=$pid

total=0
run_tasks() { # run_tasks FIELDS: five tasks of 10 s, and waits until they run
  submit_tasks 5 'm start; sleep 10; m end' "$1" >/dev/null
  total=$((total + 5))
  wait_for 30 marked start "$total" || fail "$total tasks do not start"
  sleep 2 # the server knows the starts by then
}
all_ended() { [ "$(marks end | wc -l)" = "$total" ]; }
all_told() { are_in SUCCEEDED "$total"; }
check() { # check WHAT
  wait_for 60 all_told || fail "$1: $(count_tasks SUCCEEDED) of $total succeeded"
}

run_tasks ', "pool": "far"'
touch "$work/cut"
sleep 30
all_ended || fail "the tasks did not end during the cut"
rm "$work/cut"
check "network cut"

run_tasks ', "pool": "far"'
touch "$work/cut"
sleep 15
all_ended || fail "the tasks did not end during the cut"
kill -9 "$far"
wait_for 10 gone "$far" || true
rm "$work/cut"
start_agent far --pool far --slots 20 "${servers[@]}"
check "agent killed and restarted after its tasks had ended"

run_tasks ''
replicas=("$(pid_of replica-1)" "$(pid_of replica-2)")
kill -STOP "${replicas[@]}"
sleep 20
kill -CONT "${replicas[@]}"
check "replicas frozen"

run_tasks ''
keeper=$(pid_of postgres)
kill "$keeper"
wait_for 20 none_alive "$keeper" || fail "PostgreSQL does not stop"
sleep 20
belay cluster start --dir "$cluster" --database >/dev/null
check "database stopped"

# Each line: an attempt, then the error of its start and of its end in seconds.
sql "SELECT a.task_id || ':' || a.number, extract(epoch FROM a.started_at), extract(epoch FROM a.ended_at) FROM attempt a WHERE a.exit_code = 0" |
  LC_ALL=C sort >"$work/told"
for word in start end; do marks "$word" | awk '{ print $1 ":" $2, $4 }' | LC_ALL=C sort >"$work/$word"; done
LC_ALL=C join "$work/told" "$work/start" | LC_ALL=C join - "$work/end" |
  awk '{ s = $2 - $4; e = $3 - $5; print $1, (s < 0 ? -s : s), (e < 0 ? -e : e) }' >"$work/off"
[ "$(wc -l <"$work/off")" -ge "$total" ] || fail "$(wc -l <"$work/off") attempts of $total tasks have times to compare"
worst=$(awk '{ for (i = 2; i <= 3; i++) if ($i > worst) worst = $i } END { printf "%.3f", worst }' "$work/off")
late=$(awk '$2 > 0.1 || $3 > 0.1' "$work/off" | wc -l)
[ "$late" = 0 ] || { sort -k3 -n "$work/off" | tail -n 5; fail "$late attempts of $total tasks are off by more than 100 ms, worst $worst s"; }
told="FROM task t JOIN attempt a ON a.dispatch_id = t.dispatch_id
      JOIN history s ON s.dispatch_id = t.dispatch_id AND s.to_state = 'RUNNING'
      JOIN history e ON e.dispatch_id = t.dispatch_id AND e.to_state = 'SUCCEEDED' AND e.reason <> 'late_success'"
joined=$(sql "SELECT count(*) $told")
[ "$joined" -ge "$total" ] || fail "only $joined of $total tasks have an attempt and a history to compare"
differ=$(sql "SELECT count(*) $told
              WHERE (t.started_at, t.ended_at, s.at, e.at) <> (a.started_at, a.ended_at, a.started_at, a.ended_at)")
[ "$differ" = 0 ] || fail "task, attempt and history differ for $differ tasks"
figure "$total results came up to 28 s late: their starts and ends are right to $worst s; task, attempt and history agree"
