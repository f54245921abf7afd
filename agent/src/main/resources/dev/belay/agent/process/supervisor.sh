# Ends every task process of one agent session when the agent is gone, however it died.
#
# $1 is the session id. Lines on stdin: "+ PGID" registers a task's process group, "- PGID" forgets
# it. The agent holds the only writing end of that pipe, so end of file means that the agent is dead.
trap '' HUP INT TERM
session=$1
groups=' '
while read -r act pgid; do
  case $act in
    +) groups="$groups$pgid " ;;
    -) case $groups in
         *" $pgid "*) groups="${groups%% $pgid *} ${groups#* $pgid }" ;;
       esac ;;
  esac
done

# A leader that is still there must lead its own session; otherwise the number went to a stranger.
# Without a leader the number cannot have been given away while its group has members.
for pgid in $groups; do
  if read -r stat 2>/dev/null < "/proc/$pgid/stat"; then
    set -- ${stat##*) }
    [ "$4" = "$pgid" ] || continue
  fi
  kill -s KILL -- "-$pgid" 2>/dev/null
done

# Now those that left their group: they carry the cookie. Again until a look finds none, because a
# process may be forked while we look.
rounds=0
while [ "$rounds" -lt 100 ]; do
  found=$(grep -lsF "BELAY_AGENT_SESSION=$session" /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for environ in $found; do
    pid=${environ#/proc/}
    kill -s KILL "${pid%/environ}" 2>/dev/null
  done
  rounds=$((rounds + 1))
  sleep 0.02 2>/dev/null || sleep 1
done
