-- locks: environments, project_members, projects, users
-- Roles of project members. The permissions of the built-in ones are in the contract, so they are null here.
create table roles (
  key text primary key,
  name text not null,
  description text not null default '',
  permissions text[],
  created_at timestamptz not null default now()
);
insert into roles (key, name) values ('viewer', 'Viewer'), ('editor', 'Editor'), ('admin', 'Admin');

alter table project_members drop constraint project_members_role_check;
alter table project_members add constraint project_members_role_fkey foreign key (role) references roles (key);
create index project_members_role_idx on project_members (role);

-- Roles that apply in one environment instead of the member's role in the project. They stay when groups of the
-- identity provider take a membership away, so that it does not come back with more rights.
create table environment_roles (
  project_id uuid not null references projects (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  environment_id uuid not null references environments (id) on delete cascade,
  role text not null references roles (key),
  primary key (environment_id, user_id)
);
create index environment_roles_member_idx on environment_roles (project_id, user_id);
create index environment_roles_role_idx on environment_roles (role);
