#!/usr/bin/env bash
# An idle lite and an idle server use less than 1.5 % of a core each.
# takes: about 4 min
#
# The proof sums the CPU time of all their processes over 60 s. It waits for two minutes first, because the JVM still
# compiles its loops until then.
. "$(dirname "$0")/../lib.sh"

seconds=${BELAY_PROOF_SECONDS:-60}
settle=${BELAY_PROOF_SETTLE:-120}
ticks=$(getconf CLK_TCK)

# used PID: CPU ticks of a process and all its descendants, ended children included.
used() {
  local each sum=0 fields
  for each in "$1" $(descendants "$1"); do
    fields=$(sed 's/.*) //' "/proc/$each/stat" 2>/dev/null) || continue
    set -- $fields
    sum=$((sum + ${12} + ${13} + ${14} + ${15}))
  done
  echo "$sum"
}

# percent_of BEFORE AFTER: percent of one core, from two counts of ticks.
percent_of() {
  awk -v from="$1" -v to="$2" -v ticks="$ticks" -v seconds="$seconds" 'BEGIN { printf "%.2f", (to - from) * 100 / ticks / seconds }'
}

parts() { # parts PID: the share of each process, for the reader
  local each
  for each in "$1" $(descendants "$1"); do
    printf '  %6s ticks  %s\n' "$(sed 's/.*) //' "/proc/$each/stat" 2>/dev/null | awk '{ print $12 + $13 }')" \
      "$(tr '\0\n' '  ' <"/proc/$each/cmdline" 2>/dev/null | cut -c1-80)"
  done
}

belay version >/dev/null
start lite belay lite --port "$(free_port)"
lite=$pid
belay wait-ready --timeout 300s >/dev/null
start_cluster --replicas 1 --agents 1
server=$(pid_of replica-1) agent=$(pid_of agent-1) keeper=$(pid_of postgres)
sleep "$settle"
before=("$(used "$lite")" "$(used "$server")" "$(used "$agent")" "$(used "$keeper")")
sleep "$seconds"
after=("$(used "$lite")" "$(used "$server")" "$(used "$agent")" "$(used "$keeper")")
of_lite=$(percent_of "${before[0]}" "${after[0]}")
of_server=$(percent_of "${before[1]}" "${after[1]}")
of_agent=$(percent_of "${before[2]}" "${after[2]}")
of_postgres=$(percent_of "${before[3]}" "${after[3]}")
echo "lite $of_lite % of a core (server, agent and PostgreSQL together); server $of_server %, agent $of_agent %, PostgreSQL with its keeper $of_postgres %"
parts "$lite"
below "$of_lite" 1.5 "percent of a core that an idle lite uses"
below "$of_server" 1.5 "percent of a core that an idle server uses"
figure "idle for $seconds s: lite with its PostgreSQL uses $of_lite % of a core, a server $of_server %, an agent $of_agent %, their PostgreSQL $of_postgres %"
