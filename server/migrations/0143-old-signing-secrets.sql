-- After a rotation webhooks carry signatures of both secrets until this time.
alter table bots add column old_signing_secret text;
alter table bots add column old_secret_until timestamptz;
