#!/usr/bin/env bash
# A silent task is ended as stalled and retried, a talking one is not, and each task has its own grace when it is stopped.
# takes: about 2 min
#
# The times are those of the marks that the tasks write themselves. An agent that was frozen for 10 s ends no healthy task, and
# reports the success of a process that ended meanwhile. An agent that stops kills what is left after its drain timeout.
. "$(dirname "$0")/../lib.sh"

silent="trap 'm term; exit 1' TERM; m start; sleep 300 & wait"
deaf="trap 'm term' TERM; m start; while :; do m tick; sleep 0.2; done"
talks='m start; i=0; while [ $i -lt COUNT ]; do echo $i; i=$((i+1)); sleep PAUSE; done; m end'
for_loop() { local text=${talks/COUNT/$1}; echo "${text/PAUSE/$2}"; } # for_loop COUNT PAUSE

at() { marks "$2" | awk -v id="$1" -v n="$3" '$1 == id && ++seen == n { print $4 }'; } # at ID WORD N: the time of its Nth such mark
last() { marks "$2" | awk -v id="$1" '$1 == id { at = $4 } END { print at }'; }        # last ID WORD
seconds() { awk -v from="$1" -v to="$2" 'BEGIN { if (from && to) printf "%.2f", to - from }'; }
took() { # took VALUE MIN MAX WHAT
  at_least "$1" "$2" "$4"
  below "$1" "$3" "$4"
}
state_of() { call "/api/v1/tasks/$1" | field state; }
is_in() { [ "$(state_of "$1")" = "$2" ]; }
ended() { # ended ID STATE SECONDS WHAT
  wait_for "$3" is_in "$1" "$2" || fail "$4 is $(state_of "$1"), not $2: $(call "/api/v1/tasks/$1" | field reason)"
}
first_try() { # first_try ID WHAT
  ended "$1" SUCCEEDED 40 "$2"
  [ "$(call "/api/v1/tasks/$1" | field attempts)" = 1 ] || fail "$2 needed $(call "/api/v1/tasks/$1" | field attempts) attempts"
}
cancel() { call "/api/v1/tasks/$1/cancel" -X POST >/dev/null; }
grace_of() { seconds "$(at "$1" term 1)" "$(last "$1" tick)"; } # grace_of ID: from the mark of SIGTERM to the last sign of life
had() { # had ID SECONDS WHAT: a busy machine writes the mark of SIGTERM late, and the last mark is up to 0.3 s before the end
  took "$(grace_of "$1")" "$(awk -v s="$2" 'BEGIN { print s - 0.7 }')" "$(awk -v s="$2" 'BEGIN { print s + 0.7 }')" "seconds of grace $3"
}

start_cluster --replicas 1 --agents 1 --slots 20

# Silent: ended after 5 s, retried once, then TIMEOUT.
hangs=$(submit_tasks 1 "$silent" ', "stall_timeout": "5s", "retry": {"max": 1, "backoff": {"initial": "1s", "jitter": false}}')
# Prints every 2 s for 20 s.
talker=$(submit_tasks 1 "$(for_loop 10 2)" ', "stall_timeout": "5s"')
# Ignore SIGTERM: cancelled, past their time, and silent.
short=$(submit_tasks 1 "$deaf" ', "stop_grace": "1s"')
long=$(submit_tasks 1 "$deaf" ', "stop_grace": "8s"')
late=$(submit_tasks 1 "$deaf" ', "stop_grace": "3s", "execution_timeout": "2s"')
mute=$(submit_tasks 1 "$deaf" ', "stop_grace": "2s", "stall_timeout": "3s"')
usual=$(submit_tasks 1 "$deaf")
wait_for 30 marked start 7 || fail "only $(marks start | wc -l) of 7 tasks start"
for task in "$short" "$long" "$usual"; do cancel "$task"; done

ended "$hangs" TIMEOUT 60 "the silent task"
for attempt in 1 2; do
  took "$(seconds "$(at "$hangs" start $attempt)" "$(at "$hangs" term $attempt)")" 5 6.5 "seconds until attempt $attempt of the silent task was stopped"
done
stalled=$(seconds "$(at "$hangs" start 1)" "$(at "$hangs" term 1)")
[ -z "$(at "$hangs" start 3)" ] || fail "the silent task had a third attempt"
reasons=$(sql "SELECT to_state FROM history WHERE task_id = '$hangs' AND reason = 'stalled: no output for 5000 ms' ORDER BY id" | tr '\n' ' ')
[ "$reasons" = "PENDING TIMEOUT " ] || fail "the history of the silent task has 'stalled' before: $reasons"
first_try "$talker" "the task that prints every 2 s"

for task in "$short" "$long" "$usual"; do ended "$task" CANCELLED 20 "a cancelled task"; done
for task in "$late" "$mute"; do ended "$task" TIMEOUT 20 "a task past its time"; done
had "$short" 1 "with stop_grace 1s"
had "$long" 8 "with stop_grace 8s"
had "$late" 3 "with stop_grace 3s after a timeout"
had "$mute" 2 "with stop_grace 2s after a stall"
had "$usual" 5 "without stop_grace"

# A frozen agent: tasks that print, and one that succeeds meanwhile and whose time runs out after that.
agent=$(pid_of agent-1)
before=$(marks start | wc -l)
talkers=$(submit_tasks 3 "$(for_loop 8 2.5)" ', "stall_timeout": "4s"')
done_meanwhile=$(submit_tasks 1 'm start; sleep 4; m end' ', "execution_timeout": "7s", "stall_timeout": "6s"')
wait_for 30 marked start $((before + 4)) || fail "the tasks of the frozen agent do not start"
ends=$(marks end | wc -l)
sleep 2
kill -STOP "$agent"
sleep 10
[ "$(marks end | wc -l)" = $((ends + 1)) ] || fail "nothing succeeded while the agent was frozen"
kill -CONT "$agent"
first_try "$done_meanwhile" "the task that succeeded while its agent was frozen"
for task in $talkers; do first_try "$task" "a printing task of a frozen agent"; done

# An agent that stops waits 10 s for all its tasks, whatever grace they have.
stubborn=$(submit_tasks 1 "$deaf" ', "stop_grace": "1h"')
wait_for 20 marked start $((before + 5)) || fail "the last task does not start"
kill "$agent"
wait_for 30 gone "$agent" || fail "the agent does not end"
drained=$(grace_of "$stubborn")
took "$drained" 9 12 "seconds until a stopping agent killed its task"

figure "a silent task was stopped after $stalled s and retried; graces: 1s $(grace_of "$short") s, 8s $(grace_of "$long") s, default $(grace_of "$usual") s, agent stopping $drained s; a frozen agent ended no healthy task"
