-- locks: environments, flags, users
-- Personal access tokens, and what each instance tells of its open streams.

create table access_tokens (
  id integer generated always as identity primary key,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  token_hash text not null,
  prefix text not null,
  scope text not null check (scope in ('read_only', 'read_write')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create unique index access_tokens_token_hash_key on access_tokens (token_hash);
create index access_tokens_user_id_idx on access_tokens (user_id);

-- How many streams of SDK keys an instance has open, by environment. An instance that stopped saying so is not counted.
create table stream_counts (
  instance_id uuid not null,
  environment_id uuid not null references environments (id) on delete cascade,
  streams integer not null,
  reported_at timestamptz not null,
  primary key (instance_id, environment_id)
);
create index stream_counts_environment_idx on stream_counts (environment_id);

-- When an SDK last connected; outlives the stream and the instance.
create table environment_connections (
  environment_id uuid primary key references environments (id) on delete cascade,
  last_connected_at timestamptz not null
);

-- Lists are in code unit order, which a database's own collation seldom is: without this, a list of ten thousand flags is sorted on disk.
create index flags_key_order_idx on flags (environment_id, key collate "C");
