-- No index has a column that a success changes, so that settling writes the row alone (a heap-only update) and leaves its
-- index entries as they are. Pages keep room for that second version.
alter table deliveries set (fillfactor = 60);
-- The attempt that succeeded; failed ones have rows in delivery_attempts.
alter table deliveries
  add column delivered_at timestamptz,
  add column delivered_status int,
  add column delivered_ms int,
  add column unsent text generated always as (case when state in ('failed', 'cancelled') then state end) stored;

-- Where in its lane the next delivery is looked for. `came_id` is the lowest id that joined since the lane was last settled.
alter table delivery_lanes add column first_id bigint not null default 0, add column came_id bigint;
insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at)
  select bot_id, endpoint_id, replay_id, case when alone then -id else chat_id end, min(created_at)
  from deliveries where state = 'pending' and held_until is null
  group by 1, 2, 3, 4
  on conflict do nothing;

drop index deliveries_waiting;
create index deliveries_lane on deliveries (bot_id, endpoint_id, replay_id, chat_id, id);
drop index deliveries_held;
create index deliveries_held on deliveries (held_until) where held_until is not null;
drop index deliveries_log_ended;
create index deliveries_log_unsent on deliveries (bot_id, unsent, created_at, id) where unsent is not null;
drop index deliveries_replay;
create index deliveries_replay on deliveries (replay_id) where replay_id <> 0;
-- Deliveries of one event to many bots are neighbours in it.
drop index deliveries_position;
create index deliveries_position on deliveries (position, bot_id) where position is not null;

-- What waits in lanes: in that of its chat, or in its own where it is retried alone.
create view waiting_deliveries as
  select delivery.id, delivery.bot_id, delivery.endpoint_id
  from delivery_lanes lane
  join deliveries delivery on delivery.bot_id = lane.bot_id and delivery.endpoint_id = lane.endpoint_id
    and delivery.replay_id = lane.replay_id and delivery.chat_id = lane.chat_id
    and delivery.id >= least(lane.first_id, lane.came_id)
  where delivery.state = 'pending' and delivery.held_until is null and not delivery.alone
  union all
  select delivery.id, delivery.bot_id, delivery.endpoint_id
  from delivery_lanes lane join deliveries delivery on delivery.id = -lane.chat_id
  where lane.chat_id < 0 and delivery.state = 'pending' and delivery.alone;
