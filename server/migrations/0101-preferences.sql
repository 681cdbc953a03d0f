-- Settings of clients that follow a person from device to device; the server does not read them.
create table preferences (
  user_id bigint primary key references users (id),
  value jsonb not null,
  changed_at timestamptz not null
);

-- Who may change their own name, nickname and title.
alter table workspace add column own_names text not null default 'all' check (own_names in ('admins', 'all'));
