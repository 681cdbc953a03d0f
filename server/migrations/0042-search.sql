-- Search. Words are folded (case, accents, yo) and kept as lexemes of these kinds:
--   stem        the form that all forms of a word share (Russian and English)
--   =word       the word as written
--   <suffix     every end of a word from three letters on: what starts like the query is a part of the word
-- and of names also
--   -variant    the word with one letter left out, or two: words a typo apart share one of these
--   #word, @word   a word of another field of a person, and of the mail address
-- The trigrams of PostgreSQL are of no use here: under the C locale they know no letters beyond ASCII.

create text search dictionary parley_russian (template = snowball, language = russian);
create text search dictionary parley_english (template = snowball, language = english);
create text search configuration parley_forms (copy = pg_catalog.simple);
alter text search configuration parley_forms
  alter mapping for asciiword, asciihword, hword_asciipart with parley_english;
alter text search configuration parley_forms alter mapping for word, hword, hword_part with parley_russian;

-- Marks over letters are rare and dear to fold, so that most texts are spared the table.
create function search_fold(value text) returns text language sql immutable strict parallel safe as $$
  select case when lower(value) !~ '[\u0300-\u036f\u00e0-\u017e\u1e00-\u1ef9]' then replace(lower(value), 'ё', 'е')
    else translate(regexp_replace(normalize(lower(value), nfc), '[\u0300-\u036f]', '', 'g'),
      'ёàáâãäåçèéêëìíîïñòóôõöùúûüýÿāăąćĉċčďēĕėęěĝğġģĥĩīĭįĵķĺļľńņňōŏőŕŗřśŝşšţťũūŭůűųŵŷźżžḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕẖẗẘẙạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹøłđħı',
      'еaaaaaaceeeeiiiinooooouuuuyyaaaccccdeeeeegggghiiiijklllnnnooorrrssssttuuuuuuwyzzzabbbcdddddeeeeefghhhhhiikkkllllmmmnnnnoooopprrrrsssssttttuuuuuvvwwwwwxxyzzzhtwyaaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyyoldhi')
    end
$$;

create function search_clean(value text) returns text language sql immutable strict parallel safe
set search_path from current as $$
  select btrim(regexp_replace(search_fold(value), '[^[:alnum:]]+', ' ', 'g'))
$$;

-- The lexemes of a clean text.
create function search_lexemes(clean text) returns tsvector language plpgsql immutable strict parallel safe cost 5000
set search_path from current as $$
declare
  words text[] := string_to_array(clean, ' ');
begin
  return strip(to_tsvector('parley_forms', clean)) || array_to_tsvector(
    array(select '=' || left(word, 100) from unnest(words) as word where word <> '')
    || array(
      select '<' || substr(word, start, 60)
      from unnest(words) as word, generate_series(1, least(length(word) - 2, 40)) as start));
end $$;

-- The word, and what is left of it when one letter is dropped, or two.
create function search_variants(word text, edits int) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select word
    union select left(word, i - 1) || substr(word, i + 1) from generate_series(1, length(word)) as i where edits >= 1
    union select left(word, i - 1) || substr(word, i + 1, j - i - 1) || substr(word, j + 1)
      from generate_series(1, length(word)) as i, generate_series(i + 1, length(word)) as j where edits >= 2)
$$;

create function search_name_vector(value text) returns tsvector language plpgsql immutable strict parallel safe
set search_path from current as $$
declare
  clean text := search_clean(value);
begin
  return search_lexemes(clean) || array_to_tsvector(array(
    select '-' || variant
    from unnest(string_to_array(clean, ' ')) as word,
      unnest(search_variants(word, case when length(word) between 6 and 20 then 2 else 1 end)) as variant
    where length(word) between 3 and 40));
end $$;

create function search_marked(mark text, value text) returns tsvector language sql immutable parallel safe
set search_path from current as $$
  select array_to_tsvector(array(
    select mark || left(word, 100) from unnest(string_to_array(search_clean(value), ' ')) as word where word <> ''))
$$;

-- Every word has to match: by its form, by a part of three letters or more, where asked for by a typo (one up to seven
-- letters, two beyond), or as a whole word of a marked field.
create function search_query(value text, typos boolean, marks text[]) returns tsquery language plpgsql immutable strict
set search_path from current as $$
declare
  word text;
  mark text;
  part tsquery;
  result tsquery := '';
begin
  foreach word in array string_to_array(search_clean(left(value, 1000)), ' ') loop
    continue when word = '';
    part := plainto_tsquery('parley_forms', word);
    if length(word) >= 3 then part := part || format('''<%s'':*', left(word, 60))::tsquery;
    else part := part || format('''=%s''', word)::tsquery;
    end if;
    if typos and length(word) between 4 and 40 then
      part := part || (
        select string_agg(format('''-%s''', variant), '|')::tsquery
        from unnest(search_variants(word, case when length(word) between 8 and 20 then 2 else 1 end)) as variant);
    end if;
    foreach mark in array marks loop
      part := part || format('''%s%s''', mark, left(word, 100))::tsquery;
    end loop;
    result := case when numnode(result) = 0 then part else result && part end;
  end loop;
  return result;
end $$;

-- All words as they are written. That they follow each other is looked for in the text itself.
create function search_exactly(value text) returns tsquery language sql immutable strict
set search_path from current as $$
  select coalesce(string_agg(format('''=%s''', left(word, 100)), '&'), '')::tsquery
  from unnest(string_to_array(search_clean(left(value, 1000)), ' ')) as word where word <> ''
$$;

-- What a text has to hold for any form of these words to be in it: most of each stem. Cheap to look for, and only a hint.
create function search_hints(value text) returns text[] language sql immutable strict
set search_path from current as $$
  select array(
    select '%' || left(stem, greatest(length(stem) - 2, 1)) || '%'
    from unnest(tsvector_to_array(to_tsvector('parley_forms', search_clean(left(value, 1000))))) as stem)
$$;

-- One row a message that can be found, with its clean text. The lexemes are in the index alone: rows stay narrow, and
-- counting a hundred thousand matches reads few pages.
create table message_search (
  message_id bigint primary key,
  chat_id bigint not null,
  root_chat_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null,
  body text not null
);
create index message_search_words on message_search using gin (search_lexemes(body))
  with (gin_pending_list_limit = 1024);

-- Messages that were written, edited or deleted since they were last indexed. Written by the transaction that did it;
-- a search looks through these by itself, so that nothing has to be waited for.
create table search_queue (
  id bigint generated always as identity primary key,
  message_id bigint not null
);

create function queue_new_messages() returns trigger language plpgsql as $$
begin
  insert into search_queue (message_id) select id from fresh where not system;
  return null;
end $$;
create trigger messages_search_insert after insert on messages
  referencing new table as fresh for each statement execute function queue_new_messages();

create function queue_changed_messages() returns trigger language plpgsql as $$
begin
  insert into search_queue (message_id)
  select fresh.id from fresh join stale on stale.id = fresh.id
  where not fresh.system
    and (fresh.content <> stale.content or fresh.deleted_at is distinct from stale.deleted_at);
  return null;
end $$;
create trigger messages_search_update after update on messages
  referencing old table as stale new table as fresh for each statement execute function queue_changed_messages();

create function queue_messages_of_files() returns trigger language plpgsql as $$
begin
  insert into search_queue (message_id) select distinct message_id from changed where message_id is not null;
  return null;
end $$;
create trigger files_search_insert after insert on files
  referencing new table as changed for each statement execute function queue_messages_of_files();
create trigger files_search_delete after delete on files
  referencing old table as changed for each statement execute function queue_messages_of_files();

insert into search_queue (message_id) select id from messages where not system and deleted_at is null order by id;

-- Names change rarely and are indexed at once. They have tables of their own, since rows of chats change with every
-- message and would take their words along each time.
create table chat_search (
  chat_id bigint primary key references chats (id) on delete cascade,
  words tsvector not null
);
create index chat_search_words on chat_search using gin (words) with (fastupdate = off);

create function index_chat_name() returns trigger language plpgsql as $$
begin
  insert into chat_search values (new.id, search_name_vector(new.name))
  on conflict (chat_id) do update set words = excluded.words;
  return null;
end $$;
create trigger chats_search_insert after insert on chats
  for each row when (new.kind in ('conversation', 'channel')) execute function index_chat_name();
create trigger chats_search_update after update of name on chats
  for each row when (new.name <> old.name and new.kind in ('conversation', 'channel'))
  execute function index_chat_name();
insert into chat_search select id, search_name_vector(name) from chats where kind in ('conversation', 'channel');

create table user_search (
  user_id bigint primary key references users (id) on delete cascade,
  words tsvector not null
);
create index user_search_words on user_search using gin (words) with (fastupdate = off);

create function search_user_vector(person users) returns tsvector language sql stable
set search_path from current as $$
  select search_name_vector(concat_ws(' ', person.first_name, person.last_name))
    || search_marked('#', concat_ws(' ', person.nickname, person.title, person.department))
    || search_marked('@', person.email)
$$;

create function index_user_name() returns trigger language plpgsql as $$
begin
  insert into user_search values (new.id, search_user_vector(new))
  on conflict (user_id) do update set words = excluded.words;
  return null;
end $$;
create trigger users_search
  after insert or update of first_name, last_name, nickname, title, department, email on users
  for each row execute function index_user_name();
insert into user_search select id, search_user_vector(users) from users;
