-- A page keeps room for the second version of each of its rows, which is a little longer than the first: at 60 % a third of them
-- went to another page, with an entry in every index.
alter table deliveries set (fillfactor = 45);
