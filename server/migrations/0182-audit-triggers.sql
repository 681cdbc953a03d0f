-- The rows that audit_events takes as they should be are told apart without calling a function: two for each message.
drop trigger audit_events_kept on audit_events;
create trigger audit_events_kept_insert before insert on audit_events for each row
  when (new.position is not null or new.hash is not null or new.previous_hash is not null)
  execute function keep_audit_events();
create trigger audit_events_kept_update before update on audit_events for each row
  when (old.hash is not null
    or (old.id, old.sequence, old.created_at, old.event_key, old.actor_id, old.entity_type, old.entity_id, old.details)
      is distinct from
      (new.id, new.sequence, new.created_at, new.event_key, new.actor_id, new.entity_type, new.entity_id, new.details)
    or old.ip_address is distinct from new.ip_address or old.user_agent is distinct from new.user_agent)
  execute function keep_audit_events();
create trigger audit_events_kept_delete before delete on audit_events for each row execute function keep_audit_events();
