#!/bin/sh
# /usr/local/bin/makola-back-up: makes a backup, and tells Makola of it. Run as root: `makola-back-up full` or `makola-back-up incr`.
# On a machine without Makola, /usr/local/bin/makola asks the machine that has it: exec ssh root@10.0.0.10 makola "$@"
set -eu
kind=${1:?full or incr}
cd /
# In a cluster the timers run on every machine, and the leader makes the backup.
[ "$(runuser --user postgres -- psql -tAc 'select pg_is_in_recovery()')" = f ] || exit 0
runuser --user postgres -- pgbackrest --stanza=makola --type="$kind" backup
/usr/local/bin/makola backup note --kind pgbackrest --place "repo1-$kind"
