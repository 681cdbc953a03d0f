-- What each form was used for: one file, counted for its person. A row goes when its form has expired.

create table uploads (
  key_prefix text primary key,
  key text not null,
  user_id bigint not null references users (id),
  bytes bigint not null,
  uploaded_at timestamptz not null
);
create index uploads_user on uploads (user_id, uploaded_at);
create index uploads_time on uploads (uploaded_at);
