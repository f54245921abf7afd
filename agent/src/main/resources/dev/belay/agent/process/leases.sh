# Ends strict dispatches whose lease is over, even if their agent is frozen or dead.
#
# $1 is a file that the agent replaces atomically: one line "PGID UNTIL DISPATCH" for each dispatch,
# which may run until UNTIL, in hundredths of a second of /proc/uptime, which includes sleep. PGID is
# 0 when the group has ended and only strays may be left. A line on stdin means that the file is no
# longer empty. Only the agent can write to that pipe, so end of file means that it is dead.
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
  # A dead agent cannot extend them.
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
