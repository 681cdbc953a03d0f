-- An import of a portable file into an empty workspace keeps the ids of the file; its keys say nothing that the ids do not.
alter table imports add column keeps_ids boolean not null default false;
