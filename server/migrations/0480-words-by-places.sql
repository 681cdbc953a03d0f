-- The index gives all messages with a word before the first of them can be looked at: a common word took 20 to 30 ms with two million
-- messages, and 500 words longer than a statement may with ten. So a word is looked for in the newest messages first, then at four places of the
-- history, and only a word that is in none of them, which few messages have, in the whole index.
create or replace function search_words_unused(words text[]) returns setof text language sql stable set search_path from current
set enable_seqscan = off set enable_indexscan = off as $$
  with places as materialized (
    select array['~' || (last_value >> 12), '~' || (last_value >> 12) - 1]
      || array(select '~~' || (last_value >> 16) * quarter / 4 from generate_series(3, 0, -1) as quarter) as keys
    from messages_id_seq
  )
  select word from unnest(words) as word
  where not case
    when exists (
      select from unnest((select keys from places)) as key
      where exists (
        select from messages m
        where search_keys(m.content, m.file_names, m.chat_id, m.root_chat_id, m.user_id, m.id) @> array[word, key]
          and m.deleted_at is null and not m.system)) then true
    else exists (
      select from messages m
      where search_keys(m.content, m.file_names, m.chat_id, m.root_chat_id, m.user_id, m.id) && array[word]
        and m.deleted_at is null and not m.system) end
$$;
