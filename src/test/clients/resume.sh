#!/usr/bin/env bash
# Uploads a file by curl, and continues where a cut has left it.
#
#   resume.sh URL file
set -uo pipefail
url=$1 file=$2
origin=${url%/datasets/*}
path=$(curl -s -o /dev/null -w '%header{location}' -X PUT -H 'Upload-Complete: ?0' "$url")
[ -n "$path" ] || { echo "no upload at $url" >&2; exit 1; }
for _ in $(seq 500); do
  offset=$(curl -s -I -o /dev/null -w '%header{upload-offset}' "$origin$path") || { sleep 0.3; continue; }
  [ -n "$offset" ] || { sleep 0.3; continue; }
  status=$(tail -c "+$((offset + 1))" "$file" | curl -s -o /dev/null -w '%{http_code}' -T - -X PATCH \
    -H 'Content-Type: application/partial-upload' -H "Upload-Offset: $offset" -H 'Upload-Complete: ?1' "$origin$path")
  [ "$status" != 201 ] || exit 0
done
echo "not stored after the last try, which was a $status" >&2
exit 1
