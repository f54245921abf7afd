# Ends strict dispatches whose lease is over, also while their agent is frozen or dead.
#
# $1 is a file that the agent replaces as a whole: one line "PGID UNTIL DISPATCH" for each dispatch that
# may run until UNTIL (PGID is 0 when only those are left that left the group), in hundredths of a second by /proc/uptime, which counts on while the machine
# sleeps. A line on stdin says that the file is not empty any more. The agent holds the only writing end
# of that pipe, so end of file means that it is dead.
trap '' HUP INT TERM
file=$1
agent=$PPID
over=' '

is_orphaned() {
  read -r stat < "/proc/$$/stat"
  set -- ${stat##*) }
  [ "$2" != "$agent" ]
}

# A leader that is still there must lead its own session; otherwise the number went to a stranger.
# Without a leader the number cannot have been given away while its group has members.
end_group() {
  if read -r stat 2>/dev/null < "/proc/$1/stat"; then
    set -- "$1" ${stat##*) }
    [ "$5" = "$1" ] || return 0
  fi
  kill -s KILL -- "-$1" 2>/dev/null
}

# Those that left their group carry the cookie. Again until a look finds none, because a process may
# be forked while we look; false if there are some still.
end_strays() {
  rounds=0
  while [ "$rounds" -lt 10 ]; do
    found=$(grep -lsF "$@" /proc/[0-9]*/environ)
    [ -n "$found" ] || return 0
    for environ in $found; do
      pid=${environ#/proc/}
      kill -s KILL "${pid%/environ}" 2>/dev/null
    done
    rounds=$((rounds + 1))
    sleep 0.02 2>/dev/null || sleep 1
  done
  return 1
}

# False when nothing is leased.
look() {
  [ -s "$file" ] || return 1
  read -r up idle < /proc/uptime
  now=${up%.*}${up#*.}
  # Nobody can extend them any more.
  ! is_orphaned || now=999999999999999
  past=' '
  set --
  while read -r pgid until dispatch; do
    [ "$now" -ge "$until" ] || continue
    past="$past$dispatch "
    case $over in
      *" $dispatch "*) ;;
      *) [ "$pgid" -eq 0 ] || end_group "$pgid"; set -- "$@" -e "BELAY_DISPATCH_ID=$dispatch" ;;
    esac
  done < "$file"
  if [ "$#" -eq 0 ] || end_strays "$@"; then
    over=$past
  fi
  return 0
}

while read -r woken; do
  while look; do
    ! is_orphaned || exit 0
    sleep 0.4 2>/dev/null || sleep 1
  done
done
