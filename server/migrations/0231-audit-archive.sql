-- Audit logs of other servers, which came with portable files. They are sealed there, with positions and hashes of their own, and
-- stand beside the log of this server, never in it.
create table audit_archive (
  workspace text not null,
  position bigint not null,
  import_id bigint not null references imports (id),
  record jsonb not null,
  primary key (workspace, position)
);
create index audit_archive_import on audit_archive (import_id);
