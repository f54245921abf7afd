#!/usr/bin/env bash
# The rework of the foundation made the product no larger, and store and simulation share no block of six lines.
# takes: about 1 min
#
# The proof prints lines by module, then and now. Store and model shrink by at least 1,500 lines; the whole does not grow,
# settings aside.
. "$(dirname "$0")/../lib.sh"

began=cbb4d9d
# The rework ended here. What came later adds features, and grows by them.
ended=567492b
model=simulation/src/main/java/dev/belay/simulation/model
# The code of settings outside the module settings, then and now. All of it is left out of the whole.
settings='cli/src/main/java/dev/belay/cli/(config/.*|read/ConfigCommand|process/AgentParts)\.java|server/src/main/java/dev/belay/server/(EngineParts|Limit|Threshold)\.java'

lines_at() { # lines_at COMMIT FOLDER: of the Java files of the product in it
  git -C "$root" archive "$1" -- "$2" 2>/dev/null | tar -xO --wildcards '*/src/main/*.java' 2>/dev/null | wc -l
}

count() { # count COMMIT: each module and its lines
  local module
  for module in $(git -C "$root" ls-tree -d --name-only "$1"); do
    git -C "$root" cat-file -e "$1:$module/pom.xml" 2>/dev/null || continue
    git -C "$root" cat-file -e "$1:$module/src/main" 2>/dev/null || continue
    echo "$module $(lines_at "$1" "$module")"
  done
  echo "model $(lines_at "$1" "$model")"
  echo "of-settings $(for file in $(git -C "$root" ls-tree -r --name-only "$1" | grep -xE "$settings"); do git -C "$root" show "$1:$file"; done | wc -l)"
}

count "$began" | sort >"$work/before"
count "$ended" | sort >"$work/now"
join -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$work/before" "$work/now" >"$work/both"
awk '{ printf "%-12s %6d -> %6d  %+d\n", $1, $2, $3, $3 - $2 }' "$work/both"

# The embedded server was a part of the store then.
fewer=$(awk '$1 == "store" || $1 == "embedded" || $1 == "model" { n += $2 - $3 } END { print n }' "$work/both")
more=$(awk '$1 == "of-settings" { n -= $3 - $2; next } $1 != "model" && $1 != "settings" { n += $3 - $2 } END { print n }' "$work/both")
[ "$fewer" -ge 1500 ] || fail "store and model have $fewer lines less, and should have 1500"
[ "$more" -le 0 ] || fail "the whole has $more lines more, settings aside"

windows() { # windows FOLDER: every six lines of code in a row that say something
  find "$root/$1" -name '*.java' -print0 | while IFS= read -r -d '' file; do
    sed -E 's/^[[:space:]]+//; /^(import|package) /d; /^[](){};,]*$/d; /^@Override$/d; /^(\/?\*|\/\/)/d' "$file" |
      awk '{ line[NR] = $0 } END { for (i = 1; i + 5 <= NR; i++) { w = line[i]; for (j = 1; j < 6; j++) w = w " | " line[i + j]; print w } }'
  done | sort -u
}
windows store/src/main/java >"$work/store.windows"
windows "$model" >"$work/model.windows"
same=$(comm -12 "$work/store.windows" "$work/model.windows" | tee "$work/same" | wc -l)
[ "$same" = 0 ] || { cat "$work/same"; fail "$same times six lines in a row stand in both store and model"; }
figure "store and model: $fewer lines less; the whole: $more, settings aside; no six lines in a row in both"
