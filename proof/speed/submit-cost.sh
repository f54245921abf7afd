#!/usr/bin/env bash
# A submitted task costs the server at most half the CPU time that it cost when requests were read as workflow files.
# takes: about 8 min
#
# Both versions run interleaved. The cost counts from the bytes of a bulk of 500 to the rows to store. The proof also prints the
# share of a loaded server's samples that submits take.
. "$(dirname "$0")/../lib.sh"

before=a8a91d4

mkdir -p "$work/before" "$work/now"
git -C "$root" archive "$before" | tar -xf - -C "$work/before"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$work/now"

cost() { # cost FOLDER BODY: the least of its rounds, in microseconds
  "$(belay jdk)/bin/java" -XX:+UseSerialGC -Xmx512m -cp "$work/$1/.belay/app/$(ls "$work/$1/.belay/app" | head -n 1)/lib/*" \
    "$tools/SubmitCost.java" "$2" 4 400 2>"$work/cost.log" | sort -n -k 3 | awk 'NR == 1 { print $3 }'
}

for each in before now; do
  BELAY_AOT=off "$work/$each/belay" bench --help >"$work/build.log" 2>&1 || { tail -n 20 "$work/build.log"; fail "$each does not build"; }
done

told=
for body in plain rich keyed; do
  : >"$work/costs"
  for _ in 1 2 3; do
    echo "$(cost before $body) $(cost now $body)" | tee -a "$work/costs" | sed "s/^/  $body, before and now in us: /"
  done
  # The least of each: what else the machine does only adds to it.
  read -r was is < <(awk 'NR == 1 || $1 < a { a = $1 } NR == 1 || $2 < b { b = $2 } END { print a, b }' "$work/costs")
  at_least "$(awk -v a="$was" -v b="$is" 'BEGIN { print a / b }')" 2 "a $body task costs $is us, before $was us: times less"
  told="$told $body $was -> $is us,"
done

shares=
if [ -z "${BELAY_PROOF_NO_PROFILE-}" ]; then
  for each in before now; do
    (BELAY_AOT=off "$work/$each/belay" bench throughput --tasks 30000 --repeats 3 --server-option=-Xlog:jfr+startup=error \
      --server-option=-XX:StartFlightRecording="filename=$work/$each.jfr,settings=profile") >"$work/bench.log" 2>&1 ||
      { tail -n 20 "$work/bench.log"; fail "bench throughput: $each"; }
    "$(belay jdk)/bin/java" "$tools/SubmitShare.java" "$work/$each.jfr" 60 >"$work/share.log" || fail "no samples: $each"
    sed "s/^/  $each: /" "$work/share.log"
    shares="$shares $(sed -n -E 's/^submit .* ([0-9.]+) %$/\1 %/p' "$work/share.log"),"
  done
  shares="; share of the server's samples under load, before and now:${shares%,}"
fi
figure "a submitted task costs:${told%,}$shares"
