-- The key of a plain message is stored by the statement that writes the message. It keeps the id instead of an encrypted
-- answer: the same request, the id and the time are all that its answer is made of.
alter table idempotency_keys add column message_id bigint;
