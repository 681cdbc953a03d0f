-- Events that were set aside hold no text that their message no longer has.
create index set_aside_events_message on set_aside_events (((payload ->> 'message_id')::bigint))
  where type in ('message.created', 'message.updated');

update set_aside_events e set type = 'message.deleted', payload = payload || '{"content": ""}',
    reason = 'not kept, since the message was changed'
  where type in ('message.created', 'message.updated') and not exists (
    select from messages m where m.id = (e.payload ->> 'message_id')::bigint and m.deleted_at is null);
update set_aside_events e set payload = e.payload || jsonb_build_object('content', m.content),
    reason = 'not kept, since the message was changed'
  from messages m
  where e.type in ('message.created', 'message.updated') and m.id = (e.payload ->> 'message_id')::bigint
    and e.payload ->> 'content' <> m.content;
