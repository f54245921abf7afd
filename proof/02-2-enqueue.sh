#!/usr/bin/env bash
# Bulk submits over REST: at least 20,000 tasks a second.
. "$(dirname "$0")/lib.sh"

bench enqueue
rate=$(of enqueue belay rate)
at_least "$rate" 20000 "tasks accepted in a second"
figure "$rate tasks accepted in a second"
