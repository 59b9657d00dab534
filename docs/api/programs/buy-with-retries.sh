#!/usr/bin/env bash
# bash buy-with-retries.sh REFERENCE
api='https://localhost:8443/api/v2'
reference=${1:-order-2026-0001}
order='{"network": "MTN", "volume_gb": 1, "recipient": "0241234567", "reference": "'$reference'"}'

ask() {
  local wait=1 answer status
  while true; do
    answer=$(curl -sS --max-time 30 -w '\n%{http_code}' -H "Authorization: $MAKOLA_KEY" "$@")
    status=${answer##*$'\n'}
    answer=${answer%$'\n'*}
    case $status in
      200) echo "$answer"; return 0 ;;
      # No answer, busy, or too many requests: the same request again.
      000|5??|429) sleep "$wait"; wait=$((wait < 60 ? wait * 2 : 60)) ;;
      # Any other 4xx charged nothing. After 401 or 403 keep the reference: an earlier try may have paid.
      *) echo "$answer" >&2; return 1 ;;
    esac
  done
}

status_of() {
  sed -E 's/.*"status":"([a-z]+)".*/\1/'
}

placed=$(ask -H 'Content-Type: application/json' -d "$order" "$api/data/purchase") || exit 1
status=$(status_of <<< "$placed")
while [[ $status == queued || $status == pending || $status == processing ]]; do
  sleep 2
  placed=$(ask "$api/orders/$reference") || exit 1
  status=$(status_of <<< "$placed")
done
echo "$reference $status"
