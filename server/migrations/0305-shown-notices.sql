-- Notices that a browser shows, as far as is known here.
create table shown_notices (
  subscription_id bigint not null references push_subscriptions (id) on delete cascade,
  notice_id bigint not null references notices (id) on delete cascade,
  primary key (subscription_id, notice_id)
);
create index shown_notices_notice on shown_notices (notice_id);
