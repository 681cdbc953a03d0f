-- Whoever leaves a closed chat leaves its threads as well, unless the workspace says otherwise.
alter table workspace add column removed_members_keep_threads boolean not null default false;
