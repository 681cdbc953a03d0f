-- What waits is found by its lane, and by its bot for the log; one index instead of two has an entry for it.
drop index deliveries_waiting;
create index deliveries_waiting on deliveries (bot_id, endpoint_id, replay_id, chat_id, id) where state = 'pending';
drop index deliveries_log_unsent;
create index deliveries_log_ended on deliveries (bot_id, state, created_at, id) where state in ('failed', 'cancelled');
