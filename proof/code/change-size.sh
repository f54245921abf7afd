#!/usr/bin/env bash
# A new column with its command, and a new kind of recovery with its rule, touch at most 12 files each, tests aside.
# takes: about 1 min
#
# The proof counts the files of the two commits that CONTRIBUTING.md takes as examples.
. "$(dirname "$0")/../lib.sh"

count() { # count SUBJECT: the files beside tests of the commit whose subject begins so
  local commit files
  commit=$(git -C "$root" log --format='%H %s' | sed -n -E "s/^([0-9a-f]+) $1.*/\1/p" | tail -n 1)
  [ -n "$commit" ] || fail "no commit begins with: $1"
  files=$(git -C "$root" show --format= --name-only "$commit" | grep -v '/src/test/')
  echo "$1 (${commit:0:7}):"
  sed 's/^/  /' <<<"$files"
  counted=$(wc -l <<<"$files")
  [ "$counted" -le 12 ] || fail "$counted files, and at most 12 are allowed"
}
count "Let people attach a note to a task"
column=$counted
count "Give a restart that only the reaper notices"
figure "a new column with its command: $column files; a new kind of recovery: $counted files, tests aside"
