-- The language of the screen on which digests were turned on, for people whose preferences name none.
alter table notification_settings add column mail_language text check (mail_language in ('en', 'ru'));
