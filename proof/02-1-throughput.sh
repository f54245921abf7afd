#!/usr/bin/env bash
# Whole lives of tasks in a second, beside the peers in the same run on the same server.
. "$(dirname "$0")/lib.sh"

bench throughput --peers --limit
db=$(of throughput db-scheduler ratio) runr=$(of throughput jobrunr ratio) quartz=$(of throughput quartz ratio)
echo "belay $(of throughput belay rate)/s; x db-scheduler $db, x JobRunr $runr, x Quartz $quartz, of the possible $(of throughput limit ratio)"
at_least "$db" 1.5 "ratio to db-scheduler"
at_least "$runr" 3 "ratio to JobRunr"
at_least "$quartz" 25 "ratio to Quartz"
figure "$(of throughput belay rate) lives/s: $db x db-scheduler, $runr x JobRunr, $quartz x Quartz, $(of throughput limit ratio) of plain pgjdbc"
