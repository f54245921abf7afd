#!/usr/bin/env bash
# A task that runs as another user reads nothing of its agent, and dies with it.
# takes: about 2 min
#
# The proof needs root. It also kills agent and supervisor at once: no process of a task lives on.
. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" = 0 ] || fail "this proof needs root, to run tasks as another user"
user=
for each in games daemon; do if id -u "$each" >/dev/null 2>&1; then user=$each && break; fi; done
[ -n "$user" ] || fail "this machine has no user games or daemon to run tasks as"
chmod 711 "$work"
home=$work/lite
separate=()
if belay lite --help 2>&1 | grep -q -e --task-user; then separate=(--task-user "$user"); fi

ready() { BELAY_HOME=$home belay wait-ready --timeout 5s >/dev/null 2>&1; }
here() { BELAY_HOME=$home belay "$@"; }
port=$(free_port)
SECRET_OF_THE_AGENT=hunter2 BELAY_HOME=$home start lite belay lite --port "$port" ${separate[@]+"${separate[@]}"}
lite=$pid
wait_for 240 ready || { cat "$work/lite.log"; fail "lite does not start"; }
grep -iE 'tasks run as' "$work/lite.log" || true

# One task waits, so that the attack can look for the folder of another task.
here submit -- /bin/sh -c 'echo mine > private; sleep 60' >/dev/null
cat >"$work/attack" <<EOF
look() { if head -c 1 "\$1" >/dev/null 2>&1; then echo "READ \$1"; fi; }
list() { if ls "\$1" >/dev/null 2>&1; then echo "LISTED \$1"; fi; }
for each in token join-token endpoint.json belay.log worker/journal.ndjson worker/worker-id worker/lock worker/belay.log; do look $home/\$each; done
for each in $home $home/logs $home/worker $home/worker/logs $home/worker/work $home/postgres; do list \$each; done
for each in \$(ls -d $home/worker/work/*/private $home/postgres/*password* $home/postgres/data/PG_VERSION $home/postgres/*/base 2>/dev/null); do echo "FOUND \$each"; done
for each in environ mem; do look /proc/\$PPID/\$each; done
if kill -0 \$PPID 2>/dev/null; then echo "CAN SIGNAL the agent"; fi
echo "as \$(id -un), home \$HOME, mask \$(umask)"
EOF
chmod 755 "$work/attack"
seen=$(here submit --wait -- /bin/sh "$work/attack" 2>&1 || true)
stolen=$(grep -E '(READ|LISTED|FOUND|CAN SIGNAL) ' <<<"$seen" || true)
[ -z "$stolen" ] || { printf '%s\n' "$stolen"; fail "a task reads $(wc -l <<<"$stolen") things of its agent"; }
grep -q "as $user" <<<"$seen" || fail "the task did not run as $user: $seen"

# A task's own command obeys loader variables of its environment; no process that still runs as root does.
loaded=$work/loaded
mkdir "$loaded"
chmod 777 "$loaded"
here submit --wait --env LD_DEBUG=files --env LD_DEBUG_OUTPUT="$loaded/loader" -- /bin/true >/dev/null
library=
if command -v cc >/dev/null; then
  library=" and no LD_PRELOAD"
  cat >"$work/library.c" <<'EOF'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) {
  char name[4096];
  snprintf(name, sizeof name, "%s/library-as-%d", FOLDER, (int)geteuid());
  close(open(name, O_CREAT | O_WRONLY, 0644));
}
EOF
  cc -shared -fPIC -DFOLDER="\"$loaded\"" -o "$work/library.so" "$work/library.c" || fail "cc cannot make a library"
  chmod 755 "$work/library.so"
  here submit --wait --env LD_PRELOAD="$work/library.so" -- /bin/true >/dev/null
  [ -e "$loaded/library-as-$(id -u "$user")" ] || fail "the task's own command does not load its library"
fi
by_root=$(find "$loaded" -type f -user root)
[ -z "$by_root" ] || fail "a task runs code as root through its environment: $by_root"
[ -n "$(find "$loaded" -name 'loader.*' -user "$user")" ] || fail "the task's own command does not obey its environment"

# No process of ours has a secret in its arguments or its environment, and only their owner can read our files.
for each in "$lite" $(descendants "$lite"); do
  for secret in "$home/token" "$home/join-token"; do
    if cat "/proc/$each/environ" "/proc/$each/cmdline" 2>/dev/null | grep -aqF "$(cat "$secret")"; then
      fail "a token is in the environment or the arguments of process $each"
    fi
  done
done
open=$(find "$home" -path "$home/postgres*" -prune -o -path "$home/worker/work/*" -prune -o -type f -perm /077 -print)
[ -z "$open" ] || fail "other users can read: $open"

# Users that --task-user must refuse.
refused=0
for each in root nobody no-such-user; do
  if BELAY_HOME=$work/none timeout 120 "$root/belay" lite --port "$(free_port)" --task-user "$each" >"$work/refused.log" 2>&1; then
    fail "lite accepted --task-user $each"
  fi
  grep -qE 'separates nothing|PostgreSQL|no user' "$work/refused.log" || fail "lite does not say why it refuses --task-user $each: $(cat "$work/refused.log")"
  refused=$((refused + 1))
done

# Agent and supervisor die at once under a task with one child that ignores signals and one child in its own session.
here submit -- /bin/sh -c 'trap "" TERM HUP; sh -c "while :; do sleep 1; done" & setsid sleep 300 & while :; do sleep 1; done' >/dev/null
own_tasks() { { grep -lsF "$session" /proc/[0-9]*/environ || true; } | cut -d/ -f3; }
supervisor=$(for each in $(descendants "$lite"); do if tr '\0' ' ' 2>/dev/null <"/proc/$each/cmdline" | grep -q 'belay-supervisor'; then echo "$each"; fi; done | head -n 1)
session=BELAY_AGENT_SESSION=$(tr '\0' '\n' <"/proc/$supervisor/cmdline" | tail -n 1)
enough() { [ "$(own_tasks | wc -l)" -ge 5 ]; }
wait_for 60 enough || fail "the tasks do not run"
running=$(own_tasks)
none_left() { [ -z "$(own_tasks)" ]; }
kill -9 "$supervisor" "$lite"
killed=$(now)
wait_for 5 none_left || fail "$(own_tasks | wc -l) processes of tasks live on after the kill of agent and supervisor"
figure "a task as $user reads nothing of its agent, no process of root obeys its LD_DEBUG$library, $refused users are refused; agent and supervisor killed at once: $(wc -w <<<"$running") processes of tasks end within $(since "$killed") s"
