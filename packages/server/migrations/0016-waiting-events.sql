-- locks: domain_events
-- Waiting events by environment, so that the backlog of one does not hide those of the others.
create index domain_events_waiting_environment_idx on domain_events (environment_id, id) where fanned_out_at is null;
