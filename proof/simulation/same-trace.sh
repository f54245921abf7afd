#!/usr/bin/env bash
# The same seeds give the same trace hash in every process and on every kind of JVM.
# takes: about 2 min
#
# The proof changes the number of threads, the compiler, the collector, the time zone, the language and the identity hashes.
. "$(dirname "$0")/../lib.sh"

seeds=1..40
simulate --seeds $seeds --threads 1
hash=$(answer trace_hash)
[ -n "$hash" ] || fail "no trace hash"
runs=1
same() { # same WHAT ARGS: the same hash in a JVM with $BELAY_JAVA_OPTS
  simulate --seeds $seeds "${@:2}"
  [ "$(answer trace_hash)" = "$hash" ] || fail "$1: trace hash $(answer trace_hash), and was $hash"
  runs=$((runs + 1))
}
same "two threads" --threads 2
BELAY_JAVA_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseParallelGC" same "another compiler and collector"
BELAY_JAVA_OPTS="-Duser.timezone=Asia/Kolkata -Duser.language=ar -Duser.country=EG -Dfile.encoding=ISO-8859-1" same "another time zone and language"
BELAY_JAVA_OPTS="-XX:+UnlockExperimentalVMOptions -XX:hashCode=2" same "the same identity hash for all objects"
simulate --seeds 2..41
[ "$(answer trace_hash)" != "$hash" ] || fail "other seeds have the same hash, so the hash means nothing"
figure "seeds $seeds: the trace hash is $hash in all of $runs processes, with different threads, compiler, collector, time zone and identity hashes"
