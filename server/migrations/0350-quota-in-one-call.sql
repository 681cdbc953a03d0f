-- Counts one message more of a sender in a chat and gives its number; null where the sender pauses or the window is full.
-- The block with an exception is a subtransaction: a refused sender's row would else stay locked until the end of the
-- transaction, while the pause is written by another one.
create function take_message_quota(
  sender bigint, chat bigint, daily_limit int, at timestamptz, cutoff timestamptz
) returns int language plpgsql as $$
declare
  taken int;
begin
  insert into message_quotas as q (user_id, chat_id, sent) values (sender, chat, 1)
  on conflict (user_id, chat_id) do update set sent = q.sent + 1, pause_s = null, paused_until = null
    where (q.paused_until is null or q.paused_until <= at)
      and (q.sent < daily_limit or not exists (
        select from messages m where m.user_id = q.user_id and m.root_chat_id = q.chat_id
          and m.quota_number = q.sent + 1 - daily_limit and m.created_at > cutoff))
  returning q.sent into taken;
  if taken is null then
    raise exception 'no room' using errcode = 'PQ001';
  end if;
  return taken;
exception when sqlstate 'PQ001' then
  return null;
end $$;
