-- Refused requests of tokens, for those in charge of them; kept for a week.
create table refusals (
  id bigint generated always as identity primary key,
  request_id text not null,
  created_at timestamptz not null,
  operation text not null,
  status integer not null,
  code text not null,
  rule text not null,
  needs jsonb not null,
  has jsonb not null,
  object_type text,
  object_id bigint,
  user_id bigint not null,
  token_id bigint not null
);

create index refusals_request on refusals (request_id, id desc);
create index refusals_time on refusals (created_at);
