-- A bot that has lost its last token goes on hearing of the chats that it heard of, and not of all others again.
create or replace function bind_bot_leash() returns trigger language plpgsql as $$
declare
  holder bigint := coalesce(new.user_id, old.user_id);
begin
  update public.bots set leash = (
    select case when bool_and(t.limits ? 'chat_ids' or t.limits ? 'chat_kinds') then jsonb_agg(t.limits) end
    from public.tokens t where t.user_id = holder and t.kind = 'bot')
  where user_id = holder and exists (select from public.tokens t where t.user_id = holder and t.kind = 'bot');
  return null;
end
$$;
