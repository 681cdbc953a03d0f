-- A schedule reads weekday, day of month and time of day at the offset of its start, in minutes, or in a zone.
alter table drafts add column utc_offset int not null default 0;
alter table drafts add column time_zone text;
