#!/usr/bin/env bash
# Every setting has an effect that a test shows; a wrong value and an unknown key are refused with a suggestion.
# takes: about 3 min
. "$(dirname "$0")/../lib.sh"

(cd "$root" && mvn -B -pl settings,cli,build-tools -am test -Dquick -Dtest='LayersTest,CatalogTest,GeneratedTest,SettingEffectsTest,SettingsTest' \
  -Dsurefire.failIfNoSpecifiedTests=false) >"$work/settings.log" 2>&1 || { grep -E '<<< (FAILURE|ERROR)' -A 8 "$work/settings.log" | head -n 60; fail "the tests of settings"; }
tests=$(sed -n -E 's/^\[[A-Z]+\] Tests run: ([0-9]+), Failures: 0, Errors: 0.*[0-9]$/\1/p' "$work/settings.log" | awk '{ n += $1 } END { print n + 0 }')
[ "$tests" -gt 100 ] || fail "only $tests tests ran"

refused() { # refused TEXT CMD...: exits with 2 and says TEXT
  local text=$1 code=0
  shift
  "$@" >"$work/refused.log" 2>&1 || code=$?
  cat "$work/refused.log"
  [ "$code" = 2 ] || fail "exit code $code, not 2"
  grep -qF -- "$text" "$work/refused.log" || fail "it does not say: $text"
}
printf 'agnt-silent: 2m\nheartbeat: soon\nlease: 1s\n' >"$work/belay.yaml"
refused 'Did you mean agent-silent?' belay config --process server --config "$work/belay.yaml"
refused 'heartbeat' belay config --process server --config "$work/belay.yaml" # all errors at once
BELAY_AGENT_SILENT=now refused 'BELAY_AGENT_SILENT' belay config --process server
refused 'agent-silent' belay config --process server --agent-silent 3s # below three heartbeats
printf 'agent-silent: 3m\n' >"$work/belay.yaml"
belay config --process server --config "$work/belay.yaml" | grep 'agent-silent' | tee "$work/shown" | grep -q "3m" || fail "the value of the file is not shown"
grep -q 'belay.yaml' "$work/shown" || fail "its source is not shown"
settings=$(belay config --process server -o json | grep -oE '"name" *:' | wc -l)
figure "$tests tests of settings pass; $settings settings of a server shown with their source; wrong values and unknown keys refused"
