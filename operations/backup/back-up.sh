#!/bin/sh
# /usr/local/bin/makola-back-up: makes a backup, and tells Makola of it. Run as root: `makola-back-up full` or `makola-back-up incr`.
set -eu
kind=${1:?full or incr}
runuser --user postgres -- pgbackrest --stanza=makola --type="$kind" backup
set -a
. /etc/makola/makola.env
set +a
cd /var/lib/makola
runuser --user makola --preserve-environment -- /opt/makola/node_modules/.bin/node /opt/makola/server/bin/makola.js \
  backup note --kind pgbackrest --place "repo1, $kind"
