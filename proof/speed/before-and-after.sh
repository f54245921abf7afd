#!/usr/bin/env bash
# Belay runs whole task lives no slower than at an earlier commit, measured by turns in one run.
# takes: about 8 min
#
# BELAY_PROOF_BEFORE names the earlier commit. The medians may differ by 5 %, which is what this bench differs by from itself.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$work/before" "$work/now"
git -C "$root" archive "${BELAY_PROOF_BEFORE:-cbb4d9d}" | tar -xf - -C "$work/before"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$work/now"
for each in before now; do
  "$work/$each/belay" bench --help >"$work/build.log" 2>&1 || { tail -n 20 "$work/build.log"; fail "$each does not build"; }
done
for turn in 1 2 3; do
  for each in before now; do
    "$work/$each/belay" bench throughput --repeats 2 -o json >"$work/throughput.json" 2>"$work/bench.log" ||
      { tail -n 20 "$work/bench.log"; fail "bench throughput: $each"; }
    rate=$(of throughput belay rate)
    echo "turn $turn, $each: $rate lives a second"
    echo "$rate" >>"$work/$each.rates"
  done
done
median() { sort -n "$work/$1.rates" | sed -n 2p; }
ratio=$(awk -v a="$(median before)" -v b="$(median now)" 'BEGIN { printf "%.2f", b / a }')
at_least "$ratio" 0.95 "ratio of the medians, now to before"
figure "$(median now) task lives a second, $(median before) before: $ratio x"
