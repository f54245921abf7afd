#!/usr/bin/env bash
# The CLI and the API refuse bad workflow files, name the place of each error, and store nothing.
# takes: about 2 min
#
# The command line exits 2 and prints FILE:LINE:COL. REST answers 422 with the same place. The proof also sends bodies of
# 100 MB (413), wrong tokens (401) and unknown paths (404).
. "$(dirname "$0")/../lib.sh"

belay version >/dev/null
port=$(free_port)
start lite belay lite --port "$port"
belay wait-ready --timeout 240s
token=$(find "$BELAY_HOME" -name token -type f -exec cat {} \; | head -n 1)
api=http://127.0.0.1:$port/api/v1
call() { curl -s -o "$work/answer" -w '%{http_code}' -H "Authorization: Bearer $token" "$@"; }

kinds=0
bad() { # bad NAME WHERE: the file is on stdin; WHERE is LINE:COL of its first error
  local file=$work/$1.yaml code
  cat >"$file"
  set +e
  belay validate "$file" >"$work/out" 2>&1
  code=$?
  set -e
  [ "$code" = 2 ] || { cat "$work/out"; fail "$1: validate exited $code, not 2"; }
  grep -qF "$file:$2: " "$work/out" || { cat "$work/out"; fail "$1: validate names no error at $2"; }
  set +e
  belay run "$file" >"$work/out2" 2>&1
  code=$?
  set -e
  [ "$code" = 2 ] || { cat "$work/out2"; fail "$1: run exited $code, not 2"; }
  code=$(call --data-binary "@$file" -H 'Content-Type: application/yaml' "$api/workflows?file=$1.yaml")
  [ "$code" = 422 ] || { cat "$work/answer"; fail "$1: REST answered $code, not 422"; }
  tr -d '\n ' <"$work/answer" | grep -qF "\"line\":${2%%:*},\"column\":${2##*:}" || { cat "$work/answer"; fail "$1: REST names another place"; }
  kinds=$((kinds + 1))
}

bad unknown-field 4:5 <<'Y'
name: w
tasks:
  - name: a
    comand: [/bin/true]
    command: [/bin/true]
Y
bad cycle 8:18 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    depends_on: [b]
  - name: b
    command: [/bin/true]
    depends_on: [a]
Y
bad unknown-dependency 5:18 <<'Y'
name: w
tasks:
  - name: extract
    command: [/bin/true]
    depends_on: [extrct]
Y
bad duplicate-name 5:11 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
  - name: a
    command: [/bin/true]
Y
bad duplicate-key 5:5 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    command: [/bin/false]
Y
bad duration 5:24 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    execution_timeout: 10 minutes
Y
bad expression 4:38 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/echo, "${{ params.nope }}"]
Y
bad priority 5:15 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    priority: 101
Y
bad empty 2:8 <<'Y'
name: w
tasks: []
Y
bad reserved 5:5 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    cost_limit: 5.00
Y
bad both 5:5 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    script: echo
Y
bad not-a-list 4:14 <<'Y'
name: w
tasks:
  - name: a
    command: /bin/true
Y
bad bad-name 3:11 <<'Y'
name: w
tasks:
  - name: Not OK
    command: [/bin/true]
Y
bad trigger-rule 5:19 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    trigger_rule: all_succes
Y
bad script-expression 4:18 <<'Y'
name: w
tasks:
  - name: a
    script: echo ${{ run.id }}
Y
bad yaml 4:1 <<'Y'
name: w
tasks:
  - [unclosed
Y
{ echo "name: w"; echo "tasks:"; for i in $(seq 1 10001); do echo "  - {name: t$i, command: [/bin/true]}"; done; } >"$work/many.in"
bad too-many 10003:5 <"$work/many.in"
bad retry-type 5:18 <<'Y'
name: w
tasks:
  - name: a
    command: [/bin/true]
    retry: {max: lots}
Y

head -c 104857600 /dev/zero >"$work/huge"
code=$(call --data-binary "@$work/huge" -H 'Content-Type: application/yaml' "$api/workflows")
[ "$code" = 413 ] || fail "a 100 MB body got $code, not 413"
code=$(call --data-binary "@$work/huge" -H 'Content-Type: application/json' -H 'Transfer-Encoding: chunked' "$api/tasks")
[ "$code" = 413 ] || fail "a chunked 100 MB body got $code, not 413"
code=$(curl -s -o /dev/null -w '%{http_code}' "$api/tasks")
[ "$code" = 401 ] || fail "a request without a token got $code, not 401"
code=$(curl -s -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer nonsense' "$api/tasks")
[ "$code" = 401 ] || fail "a wrong token got $code, not 401"
for path in tasks/018f0000-0000-7000-8000-000000000000 runs/018f0000-0000-7000-8000-000000000000 workflows/nope tasks/not-an-id nowhere; do
  code=$(call "$api/$path")
  [ "$code" = 404 ] || fail "$path got $code, not 404"
done
for kind in workflows runs tasks; do
  stored=$(curl -s -H "Authorization: Bearer $token" "$api/$kind" | tr -d '\n ')
  case $stored in '{"items":[],'*) ;; *) fail "a refused request left something: $stored" ;; esac
done
figure "$kinds kinds of bad files get exit 2 with FILE:LINE:COL and 422 with the same place; 413, 401 and 404 work; nothing was stored"
