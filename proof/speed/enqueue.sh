#!/usr/bin/env bash
# Bulk submits over REST reach at least 20,000 tasks a second.
# takes: about 2 min
. "$(dirname "$0")/../lib.sh"

bench enqueue
rate=$(of enqueue belay rate)
at_least "$rate" 20000 "tasks accepted a second"
figure "the server accepts $rate tasks a second"
