-- locks: scheduled_changes
-- The next due change of an environment, whose executed changes stay in the table.
create index scheduled_changes_next_idx on scheduled_changes (environment_id, scheduled_at, position) where executed_at is null;
