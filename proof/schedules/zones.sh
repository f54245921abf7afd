#!/usr/bin/env bash
# Instants of 1,000 random cron expressions agree with a loop over every minute of ten years, in zones whose clocks change.
# takes: about 5 min
#
# Also: the literals of the zones (ZonesTest), 1,000 expressions with seconds over every second of a day, every change of the
# clocks in all zones from 1970 to 2039, cron-utils, and croniter when Python can install it.
. "$(dirname "$0")/../lib.sh"

expressions=${BELAY_PROOF_EXPRESSIONS:-1000}
years=${BELAY_PROOF_YEARS:-10}
(cd "$root" && mvn -B -Dquick -pl domain test -Dtest='ZonesTest,ReckoningTest,CronInstantsTest,CronUtilsTest' \
  -Dbelay.expressions="$expressions" -Dbelay.years="$years" -Dbelay.instants-file="$work/instants") >"$work/zones.log" 2>&1 ||
  { grep -v '^\[INFO\]' "$work/zones.log" | tail -n 40; fail "the instants differ"; }

say() { grep -oE "^$1: .*" "$work/zones.log" | tail -n 1; }
number_in() { grep -oE "[0-9]+ $1" <<<"$2" | grep -oE '[0-9]+'; }
minutes=$(say minutes) seconds=$(say seconds) changes=$(say changes)
printf '%s\n' "$minutes" "$seconds" "$changes" "$(say cron-utils)"
at_least "$(number_in expressions "$minutes")" "$expressions" "expressions compared with every minute"
at_least "$(number_in expressions "$seconds")" "$expressions" "expressions compared with every second"
at_least "$(number_in 'of all zones' "$changes")" 500 "changes of the clocks"

croniter="croniter did not install"
if python3 -m venv "$work/python" >/dev/null 2>&1 && "$work/python/bin/pip" install -q croniter==6.2.4 >/dev/null 2>&1; then
  "$work/python/bin/python" - "$work/instants" <<'PYTHON' || fail "croniter differs"
import json, sys
from croniter import croniter
for line in open(sys.argv[1]):
    expression, instants = line.rstrip("\n").split("\t")
    start, instants = 1767225600, json.loads(instants)
    theirs = croniter(expression, start, max_years_between_matches=60)
    theirs = [int(theirs.get_next(float)) for _ in instants]
    if theirs != instants:
        sys.exit(f"{expression}: ours {instants[:5]}, theirs {theirs[:5]}")
PYTHON
  croniter="croniter agrees on $(wc -l <"$work/instants") in UTC"
fi
echo "$croniter"
figure "$(number_in expressions "$minutes") expressions over $years years ($(number_in instants "$minutes") instants)," \
  "$(number_in expressions "$seconds") over a day by seconds, $(number_in 'of all zones' "$changes") changes of all zones: no difference;" \
  "cron-utils agrees, $croniter"
