-- locks: projects
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
