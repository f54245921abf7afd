#!/usr/bin/env bash
# The same seeds give the same trace hash: with one thread and with two, in another process, with another compiler and
# collector, another time zone and language, and when all objects have the same identity hash.
. "$(dirname "$0")/lib.sh"

seeds=1..40
simulate --seeds $seeds --threads 1
hash=$(answer trace_hash)
[ -n "$hash" ] || fail "no trace hash"
runs=1
same() { # same WHAT ARGS: in the JVM of $BELAY_JAVA_OPTS
  simulate --seeds $seeds "${@:2}"
  [ "$(answer trace_hash)" = "$hash" ] || fail "$1: trace hash $(answer trace_hash), and was $hash"
  runs=$((runs + 1))
}
same "two threads" --threads 2
BELAY_JAVA_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseParallelGC" same "another compiler and collector"
BELAY_JAVA_OPTS="-Duser.timezone=Asia/Kolkata -Duser.language=ar -Duser.country=EG -Dfile.encoding=ISO-8859-1" same "another place"
BELAY_JAVA_OPTS="-XX:+UnlockExperimentalVMOptions -XX:hashCode=2" same "the same identity hash for all objects"
simulate --seeds 2..41
[ "$(answer trace_hash)" != "$hash" ] || fail "other seeds have the same hash: it says nothing"
figure "seeds $seeds: trace hash $hash in each of $runs processes with other threads, compiler, collector, place and identity hashes"
