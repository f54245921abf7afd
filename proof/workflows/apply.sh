#!/usr/bin/env bash
# A folder of 500 workflows is applied in one transaction in less than 5 s; a broken file among them changes nothing.
# takes: about 3 min
#
# The broken file is named with its line. Applying again changes nothing, `diff` exits 1 only when something would change, a
# prune asks first, a deleted workflow starts no run and comes back, a rollback is a new version, and an export can be applied.
# Two applies at once leave one of the two sets as a whole. The time is that of the whole command, with the start of its JVM.
. "$(dirname "$0")/../lib.sh"

belay version >/dev/null
start lite belay lite --port "$(free_port)"
belay wait-ready --timeout 240s

flows=$work/flows
mkdir -p "$flows/team"
workflow() { # workflow NAME WORD
  printf 'name: %s\ndescription: A workflow of the proof\nparams:\n  day: {type: date, default: "2026-01-31"}\ntasks:\n' "$1"
  printf '  - name: extract\n    command: [/bin/echo, %s, "${{ params.day }}"]\n' "$2"
  printf '  - name: load\n    depends_on: [extract]\n    retry: {max: 2}\n    command: [/bin/echo, done]\n'
}
for i in {001..500}; do workflow "flow-$i" one >"$flows/$([ "$i" -gt 250 ] && echo team/)flow-$i.yaml"; done
count() { belay workflows --limit 1000 -o json | { grep -c '"name"' || true; }; }
status() { local code=0; "$@" >"$work/out" 2>&1 </dev/null || code=$?; echo "$code"; }
applied() { # applied PATH ARGS: seconds in $seconds
  local from
  from=$(now)
  belay apply "$@" >"$work/out" 2>&1 </dev/null || { tail -n 5 "$work/out"; fail "apply $* failed"; }
  seconds=$(since "$from")
}

echo "one broken file among 500"
printf 'name: flow-300\ntasks:\n  - name: extract\n    comand: [/bin/echo]\n' >"$flows/team/flow-300.yaml"
[ "$(status belay apply "$flows")" = 2 ] || { cat "$work/out"; fail "a set with a broken file is not refused"; }
grep -qF "$flows/team/flow-300.yaml:4:5: unknown key 'comand'" "$work/out" || { cat "$work/out"; fail "the broken line is not named"; }
[ "$(count)" = 0 ] || fail "$(count) workflows are stored"
workflow flow-300 one >"$flows/team/flow-300.yaml"

echo "500 files"
applied "$flows"
first=$seconds
grep -qF 'Applied: 500 create.' "$work/out" || { tail -n 3 "$work/out"; fail "the set is not applied"; }
[ "$(count)" = 500 ] || fail "$(count) workflows are stored, not 500"
below "$first" "${BELAY_PROOF_APPLY_S:-5}" "seconds to apply 500 files"

echo "again, and a diff"
applied "$flows"
grep -qF 'Nothing to change: 500 unchanged.' "$work/out" || { tail -n 3 "$work/out"; fail "a second apply changes something"; }
[ "$(status belay diff "$flows")" = 0 ] || fail "diff finds a difference"
workflow flow-001 two >"$flows/flow-001.yaml"
[ "$(status belay diff "$flows")" = 1 ] || fail "diff finds no difference"
grep -qF -- '+    command: [/bin/echo, two,' "$work/out" || { cat "$work/out"; fail "the difference is not shown"; }
applied "$flows"
grep -qF 'Applied: 1 change, 499 unchanged.' "$work/out" || { tail -n 3 "$work/out"; fail "the change is not applied"; }

echo "prune asks first"
run=$(belay trigger flow-002)
rm "$flows/flow-002.yaml"
[ "$(status belay apply "$flows" --prune)" = 2 ] || fail "a prune without an answer is not refused"
grep -qF 'Add --yes.' "$work/out" || { tail -n 3 "$work/out"; fail "the prune does not ask"; }
[ "$(count)" = 500 ] || fail "the prune did not wait for the answer"
applied "$flows" --prune --yes
[ "$(count)" = 499 ] || fail "$(count) workflows are left, not 499"
[ "$(status belay trigger flow-002)" = 1 ] || fail "a deleted workflow is triggered"
grep -qF 'is deleted' "$work/out" || { cat "$work/out"; fail "the refusal does not say why"; }
succeeded() { belay show "$1" | grep -q SUCCEEDED; }
wait_for 60 succeeded "$run" || fail "the run of the deleted workflow does not finish"
workflow flow-002 one >"$flows/flow-002.yaml"
applied "$flows"
grep -qF 'restore' "$work/out" || fail "the workflow does not come back"

echo "rollback and export"
belay rollback-version flow-001 1 >"$work/out"
grep -qF 'flow-001 version 3 has the content of version 1.' "$work/out" || { cat "$work/out"; fail "no rollback"; }
belay rollback-version flow-001 1 >"$work/out"
grep -qF 'Nothing to change' "$work/out" || fail "a second rollback makes a version"
belay export --to "$work/exported" >/dev/null
[ "$(find "$work/exported" -name '*.yaml' | wc -l)" = 500 ] || fail "the export has not 500 files"
[ "$(status belay diff "$work/exported" --prune)" = 0 ] || { tail -n 20 "$work/out"; fail "the export differs"; }
cmp -s "$work/exported/flow-002.yaml" "$flows/flow-002.yaml" || fail "the export is not as it was written"

echo "two applies at once"
for word in red blue; do
  mkdir "$work/$word"
  for i in {001..050}; do workflow "flow-$i" "$word" >"$work/$word/flow-$i.yaml"; done
done
start red belay apply "$work/red"
red=$pid
start blue belay apply "$work/blue"
wait "$red" || fail "an apply failed: $(tail -n 3 "$work/red.log")"
wait "$pid" || fail "an apply failed: $(tail -n 3 "$work/blue.log")"
wins=0
for word in red blue; do [ "$(status belay diff "$work/$word")" != 0 ] || wins=$((wins + 1)); done
[ "$wins" = 1 ] || fail "the stored set is not one of the two"

figure "500 files in $first s; 1 broken file of 500: nothing stored"
