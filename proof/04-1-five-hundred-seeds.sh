#!/usr/bin/env bash
# 500 seeds pass, each with at least 2,000 events and 20 faults; over all of them every rule, fault and transition occurs
# (the command itself fails otherwise).
. "$(dirname "$0")/lib.sh"

simulate --seeds 1..500
at_least "$(answer events_least)" 2000 "events of a seed"
at_least "$(answer faults_least)" 20 "faults of a seed"
figure "$(answer seeds) seeds pass: at least $(answer events_least) events and $(answer faults_least) faults each, every rule, fault and transition occurred; $(answer seeds_per_second) seeds a second"
