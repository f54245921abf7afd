#!/bin/sh
# Belay's PostgreSQL watchdog: runs one command (initdb or postgres) and outlives our JVM.
#
#   watchdog.sh FOLDER PGDATA POSTGRES keep|delete COMMAND...
#
# Standard input is a pipe whose only writer is the JVM. "go" starts the command, "fast" asks it
# for a fast shutdown. At end of file the JVM is dead or done: the command ends within 3 s. If it
# was running, only this script cleans up; with "delete" it also removes FOLDER.
# Two processes share the work, because a POSIX shell cannot wait for a child and a pipe at once:
# this one is the command's parent, the reader below listens. Standard error is the server's log.
folder=$1 pgdata=$2 postgres=$3 afterwards=$4
shift 4
# Ctrl-C and "systemctl stop" reach the whole group; only the JVM decides when the server ends.
trap '' INT HUP TERM PIPE

# The start time of process $1, unique together with the pid. Nothing for a zombie.
birth() {
  set -- $(cat "/proc/$1/stat" 2>/dev/null)
  [ "${3:-Z}" = Z ] || echo "${22}"
}

running() {
  if [ -d /proc/self ]; then
    [ -n "$born" ] && [ "$(birth "$child")" = "$born" ]
  else
    kill -0 "$child" 2>/dev/null
  fi
}

# Kills the remains of a server: processes of our binary whose working folder is our PGDATA.
# Backends lead their own process groups, and a busy one does not notice that its parent died.
sweep() {
  [ -d /proc/self ] || return 0
  passes=0
  while [ $passes -lt 40 ]; do
    found=
    for p in /proc/[0-9]*; do
      if [ "$p/cwd" -ef "$pgdata" ] && [ "$p/exe" -ef "$postgres" ]; then
        kill -KILL "${p#/proc/}" 2>/dev/null
        found=1
      fi
    done
    [ -n "$found" ] || return 0
    sleep 0.05
    passes=$((passes + 1))
  done
  echo "belay: processes of an earlier server in $pgdata could not be killed" >&2
  return 1
}

end() {
  running && kill -QUIT "$child" 2>/dev/null
  waits=0
  while running && [ $waits -lt 15 ]; do
    sleep 0.1
    waits=$((waits + 1))
  done
  if running; then
    [ -d /proc/self ] || kill -KILL $(pgrep -P "$child") 2>/dev/null
    kill -KILL "$child" 2>/dev/null
  fi
  sweep
}

# A JVM that died before this line changed nothing.
read -r word && [ "$word" = go ] || exit 98
sweep || exit 97
# The sweep proved that no server of ours holds it; another process may have its pid by now.
[ -d /proc/self ] && rm -f "$pgdata/postmaster.pid"

exec 3<&0
"$@" </dev/null >&2 3<&- &
child=$!
born=$(birth "$child")
(
  echo "$child"
  while read -r word; do
    [ "$word" = fast ] && running && kill -INT "$child"
  done
  running || afterwards=keep
  end
  [ "$afterwards" = delete ] && rm -rf "$folder"
) <&3 3<&- &
# Only the reader holds the pipes: when it dies, the JVM's next write fails.
exec </dev/null >&2 3<&-

wait "$child"
status=$?
sweep
exit "$status"
