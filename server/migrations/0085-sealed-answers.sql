-- Answers kept for a repeated request may hold tokens and secrets: they are encrypted under the caller's own token.
-- Those kept in clear until now go; their requests still do not run twice, and are told that the key is taken.

alter table idempotency_keys drop column answer;
alter table idempotency_keys add column sealed_answer bytea;
