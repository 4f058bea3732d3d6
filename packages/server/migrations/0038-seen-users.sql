-- locks: environments
-- Whom each environment evaluated flags for lately: every day the users with the smallest hashes, which is a uniform sample.
-- Partitions, one a day, are made ahead and dropped whole. No foreign keys, as for reports: the rows of a deleted
-- environment are removed with its reports.
create table seen_users (
  environment_id uuid not null,
  day date not null,
  user_hash bytea not null,
  user_key text collate "C" not null,
  -- The attributes that rules name, null where one was absent; a null column where the SDK sent none.
  attributes json,
  seen_at timestamptz not null,
  primary key (environment_id, day, user_hash)
) partition by range (day);

alter table environments
  add column seen_users text not null default 'keys' check (seen_users in ('off', 'keys', 'attributes')),
  add column private_attributes json not null default '[]';
