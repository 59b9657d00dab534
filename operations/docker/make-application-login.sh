#!/bin/sh
# Run once by the database's container, when its volume is made: the login that API and worker use, which owns nothing.
set -e
psql --set=ON_ERROR_STOP=1 --set=password="$APPLICATION_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role makola_app login password :'password';
SQL
