-- locks: goal_users, goals, impression_days, impression_flags, report_counters, workspace
-- Reports that client keys send are bounded, reports can be deleted, and user hashes are keyed.

-- Whether the user hashes of reports are keyed with the secret of this installation. The server converts them at its start.
alter table workspace add column user_hashes_keyed boolean not null default false;

-- How many names that were unknown before an environment took from client keys on the last day on which it took one: flag keys,
-- event keys, and values of a flag (`flag_key`; empty for all keys that are no flag together). No foreign key: storing reports must
-- not wait for the row of the environment. The rows of a deleted environment are removed with its reports.
create table client_report_names (
  environment_id uuid not null,
  kind text not null check (kind in ('flag', 'value', 'event')),
  flag_key text collate "C" not null default '',
  day date not null,
  taken integer not null,
  primary key (environment_id, kind, flag_key)
);

-- Deleting the reports of a flag or an event key sets `deleted_to` to the last id drawn: every rollup row that has no later id is
-- deleted from that moment, and is removed in batches. Rows that are older than these columns have the id 0.
alter table impression_flags add column deleted_to bigint not null default -1;
alter table goals add column deleted_to bigint not null default -1;
alter table impression_days add column last_id bigint not null default 0;
alter table goal_users add column first_id bigint not null default 0;

-- While true, deleted rollup rows may still be there, and storing reports removes those that it meets.
alter table report_counters add column is_deleting boolean not null default false;

-- Deletions of reports that are not complete. No foreign key, as above.
create table report_deletions (
  id bigint generated always as identity primary key,
  environment_id uuid not null,
  subject text not null check (subject in ('flag', 'event', 'user')),
  name text collate "C" not null,
  -- Reports with these ids and those before them are deleted; null where there is nothing left to do.
  impressions_to bigint,
  goal_events_to bigint,
  -- Raw rows up to this id are done.
  cursor_id bigint not null default 0,
  removed bigint not null default 0
);
create index report_deletions_environment_idx on report_deletions (environment_id);
