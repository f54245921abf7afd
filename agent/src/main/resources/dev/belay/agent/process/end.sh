# Prepended to the other scripts: ends the processes of a task.

# A leader that still exists must lead its own session; otherwise the kernel reused the number.
# Without a leader the kernel does not reuse the number while its group has members.
end_group() {
  if read -r stat 2>/dev/null < "/proc/$1/stat"; then
    set -- "$1" ${stat##*) }
    [ "$5" = "$1" ] || return 0
  fi
  kill -s KILL -- "-$1" 2>/dev/null
}

# Processes that left their group carry the cookie. Repeats until it finds none, at most $1 times,
# because one may fork meanwhile; false if some are left.
end_strays() {
  rounds=$1
  shift
  while [ "$rounds" -gt 0 ]; do
    found=$(grep -lsF "$@" /proc/[0-9]*/environ)
    [ -n "$found" ] || return 0
    for environ in $found; do
      pid=${environ#/proc/}
      kill -s KILL "${pid%/environ}" 2>/dev/null
    done
    rounds=$((rounds - 1))
    sleep 0.02 2>/dev/null || sleep 1
  done
  return 1
}
