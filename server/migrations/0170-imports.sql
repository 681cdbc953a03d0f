-- Imports of other messengers' archives. What is read waits in import_records, sorted by the database; what is written
-- has a key, so that a second run writes nothing and an undo knows what to take out.
create table imports (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  source text not null,
  workspace text not null,
  archive text not null,
  options jsonb not null,
  state text not null check (state in ('reading', 'writing', 'done', 'undoing', 'undone')),
  -- The next phase of writing, and the last record of it that is written.
  phase int not null default 0,
  place_at bigint not null default -1,
  place_seq bigint not null default 0,
  -- By kind: read, written, merged, skipped.
  counts jsonb not null,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index imports_one_at_a_time on imports ((true)) where state in ('reading', 'writing', 'undoing');

create table import_keys (
  source text not null,
  workspace text not null,
  kind text not null,
  source_id text not null,
  id bigint not null,
  import_id bigint not null references imports (id),
  -- False where the row was here before.
  made boolean not null,
  primary key (source, workspace, kind, source_id)
);
create index import_keys_made on import_keys (import_id, kind, id) where made;

-- Not logged: a crash empties it, and the archive is read again.
create unlogged table import_records (
  seq bigint generated always as identity primary key,
  kind text not null,
  source_id text not null,
  at bigint not null,
  body jsonb not null
);
create index import_records_order on import_records (kind, at, seq);
create index import_records_id on import_records (kind, source_id);
-- Replies by the message whose thread they belong to.
create index import_records_thread on import_records ((body ->> 'thread_of')) where kind = 'message' and body ->> 'thread_of' is not null;

-- What was not written, or not as it was: counted by reason, with some ids.
create table import_remarks (
  import_id bigint not null references imports (id),
  kind text not null,
  record_kind text not null,
  reason text not null,
  count bigint not null,
  ids text[] not null,
  primary key (import_id, kind, record_kind, reason)
);

alter table chats add column description text;

-- Files that an import has stored, for the messages that carry them.
create table import_objects (
  source text not null,
  workspace text not null,
  source_id text not null,
  import_id bigint not null references imports (id),
  key text not null,
  name text not null,
  size bigint not null,
  sha256 bytea not null,
  width int,
  height int,
  primary key (source, workspace, source_id)
);
create index import_objects_content on import_objects (sha256);
