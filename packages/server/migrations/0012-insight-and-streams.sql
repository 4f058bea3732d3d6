-- locks: environments, projects, sdk_keys
-- Experiments, references in code, and the open streams.

create table experiments (
  id uuid primary key,
  environment_id uuid not null references environments (id) on delete cascade,
  key text not null,
  name text not null,
  description text,
  flag_key text not null,
  goal_event_key text not null,
  control_variant text,
  status text not null default 'running' check (status in ('running', 'paused', 'completed')),
  created_at timestamptz not null
);
create unique index experiments_environment_key_key on experiments (environment_id, key);

-- Where the code of repositories names flags, as pipelines send it. A repository is replaced as a whole.
create table code_repositories (
  project_id uuid not null references projects (id) on delete cascade,
  repo text collate "C" not null,
  commit text not null,
  branch text not null,
  url_template text,
  updated_at timestamptz not null,
  primary key (project_id, repo)
);
create table code_references (
  project_id uuid not null,
  repo text collate "C" not null,
  position integer not null,
  flag_key text collate "C" not null,
  path text not null,
  line integer not null,
  text text not null,
  primary key (project_id, repo, position),
  foreign key (project_id, repo) references code_repositories (project_id, repo) on delete cascade
);
create index code_references_flag_idx on code_references (project_id, flag_key);

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

-- The open streams of each SDK key, by instance.
create table key_stream_counts (
  instance_id uuid not null,
  key_id integer not null references sdk_keys (id) on delete cascade,
  streams integer not null,
  reported_at timestamptz not null,
  primary key (instance_id, key_id)
);
create index key_stream_counts_key_idx on key_stream_counts (key_id);
