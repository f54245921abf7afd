#!/usr/bin/env bash
# A server with a heap of 256 MB runs at full speed while 1,000,000 tasks wait for a worker.
# takes: about 5 min
#
# The JVM gets -Xmx256m and would end the server when that is not enough. The server runs as fast as it did before the tasks
# waited. Then the bench collects the heap every second under load; what is left is what the server needs.
. "$(dirname "$0")/../lib.sh"

bench memory --waiting 1000000 --tasks 300000 --server-option=-Xmx256m
heap=$(of memory belay heap_max_mib)
below "$heap" 200 "live heap under load, MiB"
at_least "$(of memory belay looks)" 5 "looks at the heap under load"
at_least "$(of memory belay ratio)" 0.8 "ratio of the rate to that before the tasks waited"
[ "$(of memory belay waiting)" = 1000000 ] || fail "the tasks did not wait"
figure "at $(of memory belay rate) lives a second with 1,000,000 waiting tasks ($(of memory belay ratio) x the rate without them) the server's live heap is at most $heap MiB of 256, its resident memory $(of memory belay rss_mib) MiB"
