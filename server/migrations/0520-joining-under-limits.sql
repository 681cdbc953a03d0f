-- Whoever is added to a chat is told from members who are in it already by the xmax of the row, so the view of tokens with limits on
-- chats has it as well.
create or replace function refresh_leash() returns void language plpgsql as $$
begin
  drop schema if exists leash cascade;
  create schema leash;
  create view leash.chats as select *, xmin from public.chats where public.leash_holds(id);
  create view leash.chat_members as select *, xmin, xmax from public.chat_members where public.leash_holds(chat_id);
  create view leash.chat_tags as select * from public.chat_tags where public.leash_holds(chat_id);
  create view leash.threads as select * from public.threads where public.leash_holds(chat_id);
  create view leash.messages as select *, xmin from public.messages where public.leash_holds(chat_id);
  create view leash.mentions as select * from public.mentions where public.leash_holds(chat_id);
  create view leash.pins as select * from public.pins where public.leash_holds(chat_id);
  create view leash.reactions as select * from public.reactions where public.leash_holds_message(message_id);
  create view leash.link_previews as select * from public.link_previews where public.leash_holds_message(message_id);
  create view leash.tasks as select * from public.tasks where chat_id is null or public.leash_holds(chat_id);
  create view leash.drafts as select * from public.drafts d where public.leash_holds(coalesce(d.chat_id, (
    select c.id from public.chats c
    where c.personal_key = least(d.user_id, d.to_user_id) || ':' || greatest(d.user_id, d.to_user_id))));
  create view leash.files as select * from public.files f where case
    when message_id is not null then public.leash_holds_message(message_id)
    when draft_id is not null then exists (select from leash.drafts d where d.id = f.draft_id)
    else true end;
  create view leash.views as select * from public.views where public.leash_holds(chat_id);
  create view leash.notices as select * from public.notices
    where payload ->> 'chat_id' is null or public.leash_holds((payload ->> 'chat_id')::bigint);
  create view leash.queued_events as select * from public.queued_events
    where payload::jsonb ->> 'chat_id' is null or public.leash_holds((payload::jsonb ->> 'chat_id')::bigint);
  create view leash.deliveries as select * from public.deliveries where chat_id = 0 or public.leash_holds(chat_id);
end
$$;
