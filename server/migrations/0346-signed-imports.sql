-- The Ed25519 public key, in PEM, whose owner must have signed the portable file of an order.
alter table import_orders add column public_key text;
