#!/usr/bin/env bash
# For 10 minutes at 80 % of the top speed Belay keeps its rate, and neither the table of tasks nor its indexes grow.
# takes: about 14 min
#
# Autovacuum and retention are on. The rate of the last minute is within 5 % of that of the second, and the sizes of the
# last minute exceed those of the fifth by at most 10 %: until then retention has nothing to remove.
. "$(dirname "$0")/../lib.sh"

minutes=${BELAY_PROOF_MINUTES:-10}
middle=$(((minutes + 1) / 2))
bench throughput --minutes "$minutes" --share 0.8
grep 'minute ' "$work/throughput.log"
last() { of throughput "minute $minutes" "$1"; }
ratio() { awk -v a="$(of throughput "minute $2" "$1")" -v b="$(last "$1")" 'BEGIN { printf "%.3f", b / a }'; }
at_least "$(ratio rate 2)" 0.95 "ratio of the rate of the last minute to that of the second"
below "$(ratio rate 2)" 1.05 "ratio of the rate of the last minute to that of the second"
below "$(last behind_ms)" 1000 "delay of the load in the last minute, ms"
below "$(ratio table_mib $middle)" 1.1 "ratio of the table's size in the last minute to that in minute $middle"
below "$(ratio indexes_mib $middle)" 1.1 "ratio of the indexes' size in the last minute to that in minute $middle"
figure "$minutes min at $(last rate) lives a second (top speed $(of throughput belay rate)): last minute $(ratio rate 2) x the second, p99 $(last p99_ms) ms, table $(last table_mib) MiB and indexes $(last indexes_mib) MiB ($(ratio table_mib $middle) x and $(ratio indexes_mib $middle) x minute $middle), PostgreSQL $(last cpu_us_postgres) us and $(last wal_bytes) bytes of WAL a life"
