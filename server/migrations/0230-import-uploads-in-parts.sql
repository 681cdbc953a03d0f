-- An archive that was uploaded in parts: their keys, in order.
alter table import_orders add column file_keys text[];
