#!/usr/bin/env bash
# Two readers of the change feed read 1,000,000 changes while replicas are killed: each once, in order for each task.
# takes: about 6 min
#
# A write transaction stays open for 20 s meanwhile and commits with an old id. The readers change the replica with every
# read. What they read is compared with the history in the database.
. "$(dirname "$0")/../lib.sh"

start_cluster --replicas 2 --agents 1 --slots 1
"$(belay jdk)/bin/java" -XX:+UseSerialGC -Xmx1g -cp "$lib" "$tools/FeedReaders.java" "${BELAY_PROOF_CHANGES:-1000000}" \
  "$root/belay" "$cluster" | tee "$work/feed.log" || fail "the lines above say why"
figure "$(tail -n 1 "$work/feed.log")"
