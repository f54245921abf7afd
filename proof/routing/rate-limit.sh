#!/usr/bin/env bash
# A rate of 100 a second, with the leader killed three times: never more than the bucket allows, and 95 % used.
# takes: about 2 min
#
# Counted by dispatched_at: in any second at most 100 and the bucket of 100. 95 % of the rate for the time in which somebody led.
. "$(dirname "$0")/../lib.sh"

rate=100
start_cluster --replicas 3 --agents 0
start_workers workers fast-1:default:200 fast-2:default:200
post_tasks 4500 '"name": "one", "command": ["nothing"], "rate_limit": {"key": "api", "max": 100, "per": "1s"}'
dispatched() { [ "$(sql 'SELECT count(*) FROM attempt')" -ge "$1" ]; }
for after in 800 1700 2600; do
  wait_for 60 dispatched "$after" || fail "$(sql 'SELECT count(*) FROM attempt') tasks started, not $after"
  kill_leader
done
wait_for 90 dispatched 3700 || fail "$(sql 'SELECT count(*) FROM attempt') tasks started in all that time"
sql "SELECT epoch, min(dispatched_at), max(dispatched_at), count(*) FROM attempt GROUP BY 1 ORDER BY 1" | sed 's/^/epoch: /'

# The window of a second that begins at each start.
most=$(sql "SELECT max(many) FROM (
  SELECT count(*) OVER (ORDER BY dispatched_at RANGE BETWEEN CURRENT ROW AND INTERVAL '1 second' FOLLOWING) AS many FROM attempt) AS seconds")
# Over 30 s from the first start: the rate, without what the bucket held when it began. The bucket keeps what nobody used while
# nobody led, up to its size.
used=$(sql "SELECT count(*) - $rate FROM attempt WHERE dispatched_at < (SELECT min(dispatched_at) + INTERVAL '30 s' FROM attempt)")
gaps=$(sql "SELECT coalesce(sum(greatest(0, extract(epoch FROM gap) - 1)), 0) FROM (
  SELECT dispatched_at - lag(dispatched_at) OVER (ORDER BY dispatched_at) AS gap FROM attempt
  WHERE dispatched_at < (SELECT min(dispatched_at) + INTERVAL '30 s' FROM attempt)) AS gaps WHERE gap > INTERVAL '1 s'")
allowed=$(awk -v rate=$rate -v gaps="$gaps" 'BEGIN { printf "%.0f", rate * (30 - gaps) }')
below "$most" $((2 * rate + 1)) "starts in a second"
at_least $((100 * used)) $((95 * allowed)) "percent of the $allowed starts that the rate allowed"
figure "at most $most starts in a second with a bucket of $rate; $used of $allowed allowed starts in 30 s, leader killed three times"
