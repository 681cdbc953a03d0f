#!/bin/bash
# Runs once, when the primary is made: lets the standby in.
set -euo pipefail
echo "host replication parley all scram-sha-256" >> "$PGDATA/pg_hba.conf"
