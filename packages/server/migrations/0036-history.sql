-- locks: environment_changes, environments, workspace
-- The change log is kept: the flags of an environment can be read at any of its revisions. `audit_id` names the entry
-- of the write. The flags of an environment are stored once at its present revision after the upgrade, so a revision
-- may have several rows.
alter table environment_changes add column audit_id bigint;
alter table environment_changes drop constraint environment_changes_pkey;
alter table environment_changes add primary key (environment_id, revision, flag_key);
create index environment_changes_flag_idx on environment_changes (environment_id, flag_key, revision desc);
create index environment_changes_audit_idx on environment_changes (audit_id) where audit_id is not null;
create index environment_changes_time_idx on environment_changes (environment_id, created_at);

-- The time from which the history of an environment is complete; null until its flags are stored after the upgrade.
alter table environments add column history_since timestamptz;
alter table environments alter column history_since set default now();

-- Until here the history may be pruned; null before the first time.
alter table workspace add column history_horizon timestamptz;
