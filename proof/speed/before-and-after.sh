#!/usr/bin/env bash
# A task life costs less CPU and less WAL than at an earlier commit, and no less of them runs in a second.
# takes: about 20 min
#
# The earlier commit is the one before a usual life became one row (ADR 22). BELAY_PROOF_BEFORE names another one, which this
# one may then match instead of beat; BELAY_PROOF_RATIO sets the required ratio of the rates. Both commits run by turns. Each brings its own bench; one that does not measure CPU and WAL yet gets the files that do.
. "$(dirname "$0")/../lib.sh"

before=${BELAY_PROOF_BEFORE:-9fb3ab7}
bench=benchmarks/src/main/java/dev/belay/benchmarks
mkdir -p "$work/before" "$work/now"
git -C "$root" archive "$before" | tar -xf - -C "$work/before"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$work/now"
if [ ! -e "$work/before/$bench/lab/Usage.java" ]; then
  for each in Bench lab/{BelaySystem,Buckets,Contender,DiskProbe,Forked,ForkedCron,Lab,Postgres,Rest,Usage} peer/{CronMain,CronPeer,DbSchedulerCron,DbSchedulerPeer,JobRunrPeer,Peer,PeerDatabase,PeerKind,PeerMain,QuartzCron,QuartzPeer} scenario/{Steady,SteadyLoad,Throughput,Wanted}; do
    cp "$work/now/$bench/$each.java" "$work/before/$bench/$each.java"
  done
  [ -d "$work/before/embedded" ] || sed -i 's/dev\.belay\.embedded/dev.belay.store.embedded/' "$work/before/$bench/lab/Postgres.java"
fi
for each in before now; do
  "$work/$each/belay" bench --help >"$work/build.log" 2>&1 || { tail -n 20 "$work/build.log"; fail "$each does not build"; }
done

figures="rate cpu_us_postgres cpu_us_server cpu_us_worker cpu_us_load wal_bytes"
for turn in 1 2 3; do
  for each in before now; do
    "$work/$each/belay" bench throughput --tasks 120000 --repeats 3 -o json >"$work/throughput.json" 2>"$work/bench.log" ||
      { tail -n 20 "$work/bench.log"; fail "bench throughput: $each"; }
    echo "turn $turn, $each: $(for name in $figures; do printf '%s %s  ' "$name" "$(of throughput belay "$name")"; done)"
    for name in $figures; do of throughput belay "$name" >>"$work/$each.$name"; done
  done
done

median() { sort -n "$work/$1.$2" | sed -n 2p; }
ratio() { awk -v a="$(median before "$1")" -v b="$(median now "$1")" 'BEGIN { printf "%.2f", b / a }'; }
printf '%-18s %10s %10s %8s\n' "of one life" "$before" now ratio
told=
for name in $figures; do
  printf '%-18s %10s %10s %8s\n' "$name" "$(median before "$name")" "$(median now "$name")" "$(ratio "$name")"
  told="$told $name $(median before "$name") -> $(median now "$name"),"
done
if [ -z "${BELAY_PROOF_BEFORE-}" ]; then rate=1.2 cpu=0.8 wal=0.7; else rate=0.95 cpu=1.05 wal=1.05; fi
at_least "$(ratio rate)" "${BELAY_PROOF_RATIO:-$rate}" "ratio of the rates, now to before"
below "$(ratio cpu_us_postgres)" $cpu "ratio of PostgreSQL's CPU time for a life, now to before"
below "$(ratio wal_bytes)" $wal "ratio of the WAL of a life, now to before"
figure "$before -> now:${told%,}"
