-- What the owner asked for by the API; a job does it.
create table import_orders (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('check', 'run', 'undo')),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- A path in the folder of imports, or the key of an upload.
  path text,
  file_key text,
  workspace text,
  options jsonb not null default '{}',
  mapping jsonb not null default '{}',
  import_id bigint references imports (id),
  progress jsonb,
  error text,
  report jsonb,
  created_at timestamptz not null,
  finished_at timestamptz
);
