#!/usr/bin/env bash
# 500 seeds pass, and together they reach every rule, fault and transition.
# takes: about 1 min
#
# Each seed has at least 2,000 events and 20 faults. The command itself fails when something never occurs.
. "$(dirname "$0")/../lib.sh"

simulate --seeds 1..500
at_least "$(answer events_least)" 2000 "events of a seed"
at_least "$(answer faults_least)" 20 "faults of a seed"
figure "$(answer seeds) seeds pass: at least $(answer events_least) events and $(answer faults_least) faults each; every rule, fault and transition occurred; $(answer seeds_per_second) seeds a second"
