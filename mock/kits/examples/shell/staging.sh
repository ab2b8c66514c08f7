#!/bin/sh
# sh and curl: starts a mock, gives each test a world, and stops the mock again. Prints TAP.
# What is written behind it goes to the mock: sh staging.sh --deviate staging:lost-enable
set -eu

ready=$(mktemp)
lockstep mock --port 0 --ready-file "$ready" --log silent "$@" >/dev/null &
mock=$!
trap 'kill "$mock" 2>/dev/null || true; rm -f "$ready"' EXIT
eval "$(lockstep env --ready-file "$ready" --wait 10s)"

new_world() { eval "$(lockstep env --ready-file "$ready" --world new)"; }

# call KEY METHOD PATH [BODY]: the answer, and the status in a line of its own
call() {
  curl --silent --show-error --max-time 10 --write-out '\n%{http_code}\n' \
    --header "Authorization: Bearer $1" --header 'Content-Type: application/json' \
    --request "$2" "$LOCKSTEP_BASE_URL$3" ${4:+--data "$4"}
}
status() { tail -n 1; }
ids() { grep -o '"id":"[0-9]*"' | tr -dc '0-9\n' | paste -s -d ' ' -; }

enable() {
  call "$LOCKSTEP_ADMIN_KEY" PUT /build/api/v1/deployments/1/branches/staging-environment \
    "{\"branchName\": \"$1\", \"enabled\": true}"
}
staging() { call "$1" GET '/api/v1/deployments/1/environments?type=staging'; }

failed=0
# expect NAME EXPECTED ACTUAL
expect() {
  if [ "$2" = "$3" ]; then
    echo "ok - $1"
  else
    echo "not ok - $1: expected $2, got $3"
    failed=1
  fi
}

echo '1..3'

new_world
enable feature-orders >/dev/null
expect 'an enabled environment is listed' '202 203' "$(staging "$LOCKSTEP_ADMIN_KEY" | ids)"

new_world
expect 'a member may not add recipients' 403 "$(
  call "$LOCKSTEP_MEMBER_KEY" POST /api/v1/deployments/1/notifications/31/recipients \
    '{"recipients": [{"userId": 2}]}' | status
)"

new_world
other=$LOCKSTEP_ADMIN_KEY
new_world
enable feature-orders >/dev/null
expect 'another world does not see it' 203 "$(staging "$other" | ids)"

# A clean stop: exit code 0, and the file is gone.
trap - EXIT
kill "$LOCKSTEP_PID"
wait "$mock"
[ ! -e "$ready" ]
exit "$failed"
