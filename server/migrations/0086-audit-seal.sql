-- The ends of the audit chain under a key that is not in the database: who can write here cannot make a shorter chain
-- look whole. Null where the chain has not been sealed under a key yet.

alter table audit_chain add column anchor_seal bytea, add column head_seal bytea;
