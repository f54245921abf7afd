#!/usr/bin/env bash
# Belay runs at least 2.2 times as many whole task lives as db-scheduler, 3 times JobRunr's and 25 times Quartz's.
# takes: about 12 min
#
# All systems run in the same bench, by turns, after each has warmed up until it is steady. The rate is at least 0.33 of
# what plain pgjdbc reaches when it writes the same rows without a scheduler.
. "$(dirname "$0")/../lib.sh"

bench throughput --peers --limit
db=$(of throughput db-scheduler ratio) runr=$(of throughput jobrunr ratio) quartz=$(of throughput quartz ratio)
share=$(of throughput limit ratio)
costs="a life costs"
for process in postgres server worker load; do costs="$costs $process $(of throughput belay "cpu_us_$process") us,"; done
costs="$costs $(of throughput belay wal_bytes) bytes of WAL"
echo "belay $(of throughput belay rate)/s; x db-scheduler $db, x JobRunr $runr, x Quartz $quartz, $share of plain pgjdbc; $costs"
at_least "$db" 2.2 "ratio to db-scheduler"
at_least "$runr" 3 "ratio to JobRunr"
at_least "$quartz" 25 "ratio to Quartz"
at_least "$share" 0.33 "share of plain writes of the same rows"
figure "$(of throughput belay rate) task lives a second: $db x db-scheduler ($(of throughput db-scheduler rate)), $runr x JobRunr, $quartz x Quartz, $share of plain pgjdbc; $costs"
