-- Download links are signed for a span of time that follows from the clock, so that none needs keeping.
alter table files drop column url, drop column url_expires_at;
create index files_protected on files (key) where protected;

-- Objects of the storage that go once they are due, unless a file uses them by then. A claimed one is being
-- erased and can no longer be attached. A key that ends in a slash stands for everything below it.
create table loose_objects (
  key text primary key,
  due_at timestamptz not null,
  claimed boolean not null default false
);
create index loose_objects_due on loose_objects (due_at);
