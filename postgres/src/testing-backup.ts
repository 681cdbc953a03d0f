/** Tables with all that makes a backup difficult: odd names, circles of references, partitions, triggers. */
export const SCHEMA = `
  create table schema_migrations (name text primary key, applied_at timestamptz not null default now());
  insert into schema_migrations values ('0001-start.sql'), ('0002-more.sql');
  create table chats (
    id bigint generated always as identity primary key, name text not null, balance int not null default 0,
    last_message_id bigint
  );
  create table "Odd, name" (id serial primary key, "a ""b"" c" text, "select" jsonb);
  create table messages (
    id bigint generated always as identity primary key, chat_id bigint not null references chats,
    parent_id bigint references messages, content text, sent_at timestamptz, raw bytea, weight float8, tags text[],
    words tsvector generated always as (to_tsvector('russian', content)) stored
  );
  alter table chats add foreign key (last_message_id) references messages;
  create table accounts (id int primary key, amount bigint not null);
  create table entries (account_id int not null references accounts, amount bigint not null) partition by list (account_id);
  create table entries_1 partition of entries for values in (1);
  create table entries_rest partition of entries default;
  create table nothing ();
  create sequence numbers increment by 5 start 100;
  create function shout() returns trigger language plpgsql as $$ begin
    insert into accounts values (1000 + random() * 1e6, 0);
    new.name := upper(new.name);
    return new;
  end $$;
  create trigger shout before insert on chats for each row execute function shout();`

const rowsOf = (messages: number) => `
  alter table chats disable trigger shout;
  insert into chats (name) select 'chat ' || n from generate_series(1, 50) n;
  alter table chats enable trigger shout;
  insert into messages (chat_id, parent_id, content, sent_at, raw, weight, tags)
    select 1 + n % 50, nullif(n / 2, 0), E'Привет \\t\\n\\r\\\\N \\\\. "мир" \\U0001F600 ' || n, now() - n * interval '1.000001 s',
      decode(md5(n::text), 'hex'), case n % 4 when 0 then 'NaN' when 1 then 0.1 * n when 2 then '-Infinity' end,
      case when n % 3 > 0 then array[null, '', 'a,"b"', n::text] end
    from generate_series(1, ${messages}) n;
  update chats set last_message_id = id * 3;
  insert into "Odd, name" ("a ""b"" c", "select") values (null, '{"a": [1, "\\u0416"]}'), ('', null);
  insert into accounts select n, 1000 from generate_series(1, 20) n;
  insert into nothing default values;
  select nextval('numbers'), nextval('numbers');`

/** Enough for a backup to take a while, and to be interrupted. */
export const ROWS = rowsOf(9000)
/** For what does not depend on how long it takes. */
export const FEW_ROWS = rowsOf(500)
