-- locks: environments
-- Whom flags were evaluated for, and which revision SDKs have.

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

-- Counts for each environment how often seen users, or what is kept of them, were removed. Instances keep samples of seen
-- users in memory for some seconds, and read them again after a removal.
create table seen_user_removals (
  environment_id uuid primary key references environments on delete cascade,
  removals bigint not null
);

-- The SDKs of each environment that confirm revisions, and how long changes took to reach them. Unlogged: they are lost
-- in a crash of the database, and filled again by the servers. No foreign keys: storing them must not wait for the row
-- of the environment, and rows of a deleted environment expire with their server's report.
create unlogged table sdk_clients (
  environment_id uuid not null,
  client_id uuid not null,
  key_id integer,
  app text not null,
  sdk text not null,
  instance text not null,
  server_id uuid not null,
  transport text not null check (transport in ('stream', 'poll')),
  -- The revision that the client has confirmed; -1 before the first one.
  revision bigint not null,
  connected_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (environment_id, client_id)
);
create index sdk_clients_server_idx on sdk_clients (server_id);

-- How many clients confirmed a revision within each step of 10%, from 1 ms. The newest 200 revisions.
create unlogged table propagation (
  environment_id uuid not null,
  revision bigint not null,
  server_id uuid not null,
  counts integer[] not null check (cardinality(counts) = 96),
  primary key (environment_id, revision, server_id)
);

-- The servers that have streams of an environment, and how many of them do not confirm. Clients of a server that does
-- not report any more do not count.
create unlogged table sdk_client_servers (
  environment_id uuid not null,
  server_id uuid not null,
  cannot_tell integer not null,
  reported_at timestamptz not null,
  primary key (environment_id, server_id)
);
