#!/bin/bash
# Copies the primary on the first start, then runs as its standby. `pg_ctl promote` in this container makes it the primary.
set -euo pipefail
export PGPASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres /var/lib/postgresql
  gosu postgres pg_basebackup -h primary -U parley -D "$PGDATA" -X stream --write-recovery-conf
  echo "primary_conninfo = 'host=primary user=parley password=$PGPASSWORD application_name=standby'" >> "$PGDATA/postgresql.auto.conf"
  chmod 700 "$PGDATA"
fi
exec gosu postgres postgres
