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

-- The words of a message and of its files' names, as written. Words of over a hundred letters are cut, since an index has
-- a limit.
create function search_words_in(content text, file_names text) returns text[] language plpgsql immutable parallel safe as $$
declare
  clean text := search_fold(concat_ws(' ', content, file_names));
begin
  -- To look whether something has to be replaced costs a tenth of replacing every space by itself.
  if clean ~ '[^[:alnum:] ]|  ' then
    clean := regexp_replace(regexp_replace(clean, '[^[:alnum:] ]+', ' ', 'g'), '  +', ' ', 'g');
  end if;
  if length(clean) > 100 and clean ~ '[^ ]{101}' then
    clean := regexp_replace(clean, '([^ ]{100})[^ ]+', '\1', 'g');
  end if;
  return string_to_array(btrim(clean), ' ');
end $$;

-- What a message is found by: its words, the chats it is seen from, as #id, and its author, as @id. Forms and parts of
-- words are not here but in the list of words below: a message has a dozen words, and a word of ten letters has a
-- dozen forms and ends.
create function search_keys(content text, file_names text, chat_id bigint, root_chat_id bigint, user_id bigint) returns text[]
language plpgsql immutable parallel safe cost 500 set search_path from current as $$
declare
  keys text[] := search_words_in(content, file_names) || array['@' || user_id, '#' || chat_id];
begin
  return case when root_chat_id = chat_id then keys else keys || ('#' || root_chat_id) end;
end $$;

-- What is written lands in a list beside the index, which searches read too; the server moves it over each second, so
-- that no writer has to.
alter table messages add column file_names text;
create index messages_search on messages using gin (search_keys(content, file_names, chat_id, root_chat_id, user_id))
  with (gin_pending_list_limit = 16384) where deleted_at is null and not system;

-- Every word that a message ever had. A query finds here which words it means, and then messages by those. A word that
-- two people say first at the same moment stands here twice: waiting for each other would cost more. It is always looked
-- up by its index, however small the table was when the plan was made.
create table search_words (word text not null);
create index search_words_word on search_words (word);
create index search_words_lexemes on search_words using gin (search_lexemes(word)) with (gin_pending_list_limit = 256);

create function learn_words_of_new() returns trigger language plpgsql set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into search_words
  select distinct said from fresh, unnest(search_words_in(content, file_names)) as said
  where not fresh.system and not exists (select from search_words known where known.word = said);
  return null;
end $$;
-- Who knows which words are new says so, and adds them himself.
create trigger messages_words_insert after insert on messages
  referencing new table as fresh for each statement
  when (coalesce(current_setting('parley.words', true), '') <> 'told') execute function learn_words_of_new();

create function learn_words_of_changed() returns trigger language plpgsql set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into search_words
  select distinct said from unnest(search_words_in(new.content, new.file_names)) as said
  where not exists (select from search_words known where known.word = said);
  return null;
end $$;
create trigger messages_words_update after update of content, file_names on messages
  for each row when (new.deleted_at is null and not new.system) execute function learn_words_of_changed();

create function name_files() returns trigger language plpgsql set search_path from current as $$
begin
  update messages m set file_names = (
    select string_agg(file.name, ' ' order by file.position) from files file where file.message_id = m.id)
  where m.id in (select message_id from changed);
  return null;
end $$;
create trigger files_names_insert after insert on files
  referencing new table as changed for each statement execute function name_files();
create trigger files_names_delete after delete on files
  referencing old table as changed for each statement execute function name_files();

update messages m set file_names = (
  select string_agg(file.name, ' ' order by file.position) from files file where file.message_id = m.id)
where has_files;
insert into search_words
select distinct said from messages, unnest(search_words_in(content, file_names)) as said
where deleted_at is null and not system;

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
