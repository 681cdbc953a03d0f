-- Copies of a message's text are found by the message: an edit rewrites them, a deletion takes the text out.
create index events_message on events (((payload ->> 'message_id')::bigint))
  where type in ('message.created', 'message.updated');

alter table deliveries add column message_id bigint;
alter table queued_events add column message_id bigint;
update deliveries set message_id = coalesce(payload::jsonb ->> 'message_id', payload::jsonb ->> 'id')::bigint
  where event_type in ('message_new', 'message_update', 'message_link_shared');
update queued_events set message_id = coalesce(payload::jsonb ->> 'message_id', payload::jsonb ->> 'id')::bigint
  where event_type in ('message_new', 'message_update', 'message_link_shared');
create index deliveries_message on deliveries (message_id) where message_id is not null;
create index queued_events_message on queued_events (message_id) where message_id is not null;

-- Texts that were edited or removed before this.
create temporary table gone on commit drop as
  select distinct copies.message_id as id from (
    select message_id from deliveries where message_id is not null
    union select message_id from queued_events where message_id is not null
    union select (payload ->> 'message_id')::bigint from events where type in ('message.created', 'message.updated')
  ) copies
  where not exists (select from messages m where m.id = copies.message_id and m.deleted_at is null);
update events set type = 'message.deleted', payload = payload || '{"content": ""}'
  where type in ('message.created', 'message.updated') and (payload ->> 'message_id')::bigint in (select id from gone);
update events e set payload = e.payload || jsonb_build_object('content', m.content) from messages m
  where e.type in ('message.created', 'message.updated') and m.id = (e.payload ->> 'message_id')::bigint
    and e.payload ->> 'content' <> m.content;
update deliveries set
    state = case when state = 'pending' and event_type = 'message_link_shared' then 'cancelled' else state end,
    payload = case event_type when 'message_link_shared' then payload::jsonb || '{"links": []}'
      else payload::jsonb || '{"event": "delete", "content": ""}' end,
    event_type = case event_type when 'message_link_shared' then event_type else 'message_delete' end
  where message_id in (select id from gone);
delete from queued_events where event_type = 'message_link_shared' and message_id in (select id from gone);
update queued_events set event_type = 'message_delete',
    payload = payload::jsonb || '{"event": "delete", "content": ""}'
  where message_id in (select id from gone);
update deliveries d set payload = d.payload::jsonb || jsonb_build_object('content', m.content) from messages m
  where m.id = d.message_id and d.event_type in ('message_new', 'message_update')
    and d.payload::jsonb ->> 'content' <> m.content;
update queued_events q set payload = q.payload::jsonb || jsonb_build_object('content', m.content) from messages m
  where m.id = q.message_id and q.event_type in ('message_new', 'message_update')
    and q.payload::jsonb ->> 'content' <> m.content;

-- Up to which time messages of a kind were removed. Messages that are written later with an earlier time (an import, a
-- clock that was set back) are found by their ids: those after `seen_id`. `newest_id` becomes `seen_id` a sweep later, so
-- that a transaction which commits late is seen too.
drop table retention_progress;
create table retention_progress (
  kind text primary key,
  swept_to timestamptz not null,
  seen_id bigint not null,
  newest_id bigint not null
);
