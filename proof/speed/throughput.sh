#!/usr/bin/env bash
# Belay runs whole task lives faster than db-scheduler, JobRunr and Quartz on the same PostgreSQL.
# takes: about 6 min
#
# All systems run in the same bench, by turns. The required ratios are 1.5, 3 and 25.
. "$(dirname "$0")/../lib.sh"

bench throughput --peers --limit
db=$(of throughput db-scheduler ratio) runr=$(of throughput jobrunr ratio) quartz=$(of throughput quartz ratio)
echo "belay $(of throughput belay rate)/s; x db-scheduler $db, x JobRunr $runr, x Quartz $quartz, $(of throughput limit ratio) of plain pgjdbc"
at_least "$db" 1.5 "ratio to db-scheduler"
at_least "$runr" 3 "ratio to JobRunr"
at_least "$quartz" 25 "ratio to Quartz"
figure "$(of throughput belay rate) task lives a second: $db x db-scheduler, $runr x JobRunr, $quartz x Quartz, $(of throughput limit ratio) of plain pgjdbc"
