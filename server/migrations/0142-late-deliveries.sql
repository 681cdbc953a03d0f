-- A delivery that its receiver keeps refusing lets those behind it pass and is retried alone, in a lane of its own. That
-- lane has the negative id of the delivery in place of a chat.
alter table deliveries add column alone boolean not null default false;
-- It was alone once, so that events which came after it may have been sent before it.
alter table deliveries add column late boolean not null default false;
