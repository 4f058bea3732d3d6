-- locks: scheduled_changes
-- A scheduled change that failed with an unexpected error: how often, and when it is tried again.
alter table scheduled_changes
  add column failed_attempts integer not null default 0,
  add column retry_at timestamptz;
create index scheduled_changes_retry_idx on scheduled_changes (environment_id, flag_key)
  where executed_at is null and retry_at is not null;
-- The pending changes of a requester by time.
create index scheduled_changes_requester_idx on scheduled_changes (scheduled_by, scheduled_at, position)
  where executed_at is null;
