-- locks: projects
-- Why a flag is meant to differ between two environments of a project.
create table drift_notes (
  project_id uuid not null references projects (id) on delete cascade,
  flag_key text collate "C" not null,
  source text not null,
  target text not null,
  reason text not null,
  owner_email text not null,
  expires_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  primary key (project_id, flag_key)
);
