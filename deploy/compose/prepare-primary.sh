#!/bin/bash
# Runs once, when the primary is made: lets the standby in, and from its next start on the primary waits for it with every commit.
# Set on the command line instead, the first commit of all would wait, for a standby that needs the primary to be there first.
set -euo pipefail
echo "host replication parley all scram-sha-256" >> "$PGDATA/pg_hba.conf"
echo "synchronous_standby_names = 'standby'" >> "$PGDATA/postgresql.conf"
