#!/usr/bin/env bash
# 100,000 seeds pass on all cores.
# takes: about 10 min
#
# The proof stops after an hour if the machine is slower.
. "$(dirname "$0")/../lib.sh"

simulate --seeds 1..100000 --for 1h
figure "$(answer seeds) seeds pass in $(awk -v ms="$(answer elapsed_ms)" 'BEGIN { printf "%.0f", ms / 60000 }') min: $(answer events) events, $(answer faults) faults, $(awk -v ms="$(answer simulated_ms)" 'BEGIN { printf "%.0f", ms / 86400000 }') days simulated; $(answer seeds_per_second) seeds a second"
