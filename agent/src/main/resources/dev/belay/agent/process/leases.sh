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
  if [ "$#" -eq 0 ] || end_strays 10 "$@"; then
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
