-- locks: environments
-- What SDKs report: impressions and goal events, raw by the day on which they arrived, and what is counted as they come in.
-- No foreign keys: the rows of a deleted environment are removed piece by piece (`deleted_environments`).

-- Where the ids of an environment's impressions and goal events stand. Who stores some takes the row first and holds it until the
-- commit, so that a row never appears with an id below one that was handed out before. `received_on` is the day of the last ones: it
-- never steps back, whatever the clocks of several instances say. It goes with its environment, after which nothing more comes in.
create table report_counters (
  environment_id uuid not null references environments (id) on delete cascade,
  kind text not null check (kind in ('impression', 'goal_event')),
  last_id bigint not null default 0,
  received_on date not null default '-infinity',
  -- The first id of that day.
  day_first_id bigint not null default 1,
  -- While true, deleted rollup rows may still be there, and storing reports removes those that it meets.
  is_deleting boolean not null default false,
  primary key (environment_id, kind)
) with (fillfactor = 50);
create function count_reports_of_environment() returns trigger language plpgsql as $$
begin
  insert into report_counters (environment_id, kind) values (new.id, 'impression'), (new.id, 'goal_event');
  return new;
end
$$;
create trigger environments_count_reports after insert on environments
  for each row execute function count_reports_of_environment();

-- Partitions, one a day of arrival, are made ahead and dropped whole when they are old.
create table impressions (
  id bigint not null,
  environment_id uuid not null,
  flag_key text collate "C" not null,
  user_id text collate "C",
  value text collate "C" not null,
  context json,
  evaluated_at timestamptz not null,
  received_on date not null
) partition by range (received_on);
create index impressions_environment_idx on impressions (environment_id, id);
-- For the impressions of one user. By a hash: half of what storing costs with an index of the ids themselves.
create index impressions_user_idx on impressions (hashtextextended(user_id, 0)) where user_id is not null;

create table goal_events (
  id bigint not null,
  environment_id uuid not null,
  event_key text collate "C" not null,
  user_id text collate "C",
  value double precision,
  context json,
  occurred_at timestamptz not null,
  received_on date not null
) partition by range (received_on);
create index goal_events_environment_idx on goal_events (environment_id, id);

-- Users and values are counted by the first 16 bytes of their SHA-256: they may be longer than an index takes.

-- Each value that a flag gave; `last_id` is its last impression's, beyond which nobody needs to look for more.
create table impression_values (
  environment_id uuid not null,
  flag_key text collate "C" not null,
  value_hash bytea not null,
  value text collate "C" not null,
  impressions bigint not null,
  unique_users bigint not null,
  last_seen timestamptz not null,
  last_id bigint not null,
  primary key (environment_id, flag_key, value_hash)
);

-- Users of a flag, whatever it gave them. `version` grows with each write: results that were computed hold while it stays.
-- Deleting the reports of a flag or an event key sets `deleted_to` to the last id drawn: every rollup row that has no later id is
-- deleted from that moment, and is removed in batches. Rows that are older than that have the id 0.
create table impression_flags (
  environment_id uuid not null,
  flag_key text collate "C" not null,
  unique_users bigint not null,
  version bigint not null,
  deleted_to bigint not null default -1,
  primary key (environment_id, flag_key)
);

-- Counts by the day of the evaluation and the day of arrival: the first for timelines, the second for what is still kept raw.
create table impression_days (
  environment_id uuid not null,
  flag_key text collate "C" not null,
  value_hash bytea not null,
  day date not null,
  received_on date not null,
  impressions bigint not null,
  last_id bigint not null default 0,
  primary key (environment_id, flag_key, value_hash, day, received_on)
);

-- When a user first saw a value of a flag; `first_id` decides between equal times. The earliest of a user is their first exposure.
create table impression_users (
  environment_id uuid not null,
  flag_key text collate "C" not null,
  user_hash bytea not null,
  value_hash bytea not null,
  first_at timestamptz not null,
  first_id bigint not null,
  primary key (environment_id, flag_key, user_hash, value_hash)
);

create table goals (
  environment_id uuid not null,
  event_key text collate "C" not null,
  total bigint not null,
  unique_users bigint not null,
  last_seen timestamptz not null,
  version bigint not null,
  deleted_to bigint not null default -1,
  primary key (environment_id, event_key)
);

-- A user has converted when they reached the goal at their first exposure or later: the last time tells.
create table goal_users (
  environment_id uuid not null,
  event_key text collate "C" not null,
  user_hash bytea not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  first_id bigint not null default 0,
  primary key (environment_id, event_key, user_hash)
);

-- Environments whose reports are still to be removed.
create table deleted_environments (
  environment_id uuid primary key,
  deleted_at timestamptz not null default now()
);
create function remember_deleted_environment() returns trigger language plpgsql as $$
begin
  insert into deleted_environments (environment_id) values (old.id) on conflict do nothing;
  return old;
end
$$;
create trigger environments_remember_deleted after delete on environments
  for each row execute function remember_deleted_environment();

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

-- Flags that programs evaluate and that do not exist, by the reports of SDKs. At most 1,000 keys for each environment.
-- No foreign key, as for reports: storing them must not wait for the row of the environment. Those of a deleted
-- environment are removed with its reports.
create table unknown_flags (
  environment_id uuid not null,
  flag_key text collate "C" not null,
  count bigint not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  -- The program that reported it last, and its SDK; null where neither was sent.
  app text,
  sdk text,
  primary key (environment_id, flag_key)
);
create index unknown_flags_last_seen_idx on unknown_flags (last_seen);
