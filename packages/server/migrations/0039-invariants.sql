-- locks: audit_log, environments, projects
-- Demands on what users can get of the flags of a project.
create table invariants (
  project_id uuid not null references projects (id) on delete cascade,
  key text collate "C" not null,
  description text,
  environments json,
  demand json not null,
  enforcement text not null check (enforcement in ('block', 'warn')),
  created_by text not null,
  created_at timestamptz not null,
  primary key (project_id, key)
);

-- In the row that every write locks: a write of a project without invariants asks nothing further.
alter table environments add column has_invariants boolean not null default false;

-- The kinds of resource of the groups as the contract has them now.
drop index audit_log_group_idx;
create index audit_log_group_idx on audit_log ((case
  when starts_with(action, 'auth.') then 'authentication'
  when starts_with(action, 'change_request.') then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{change_request}'::text[]) then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{user,member,role,session,access_token,identity,group_mapping,service_account,scim,scim_token,scim_group}'::text[]) then 'people'
  when split_part(metadata ->> 'resource', ':', 1) = any('{sdk_key}'::text[]) then 'keys'
  when split_part(metadata ->> 'resource', ':', 1) = any('{project,environment,workspace,audit_log,invariant}'::text[]) then 'projects'
  when split_part(metadata ->> 'resource', ':', 1) = any('{segment,experiment,reports,seen_user}'::text[]) then 'segments'
  when split_part(metadata ->> 'resource', ':', 1) = any('{webhook,integration}'::text[]) then 'receivers'
end), id desc) where (case
  when starts_with(action, 'auth.') then 'authentication'
  when starts_with(action, 'change_request.') then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{change_request}'::text[]) then 'change_requests'
  when split_part(metadata ->> 'resource', ':', 1) = any('{user,member,role,session,access_token,identity,group_mapping,service_account,scim,scim_token,scim_group}'::text[]) then 'people'
  when split_part(metadata ->> 'resource', ':', 1) = any('{sdk_key}'::text[]) then 'keys'
  when split_part(metadata ->> 'resource', ':', 1) = any('{project,environment,workspace,audit_log,invariant}'::text[]) then 'projects'
  when split_part(metadata ->> 'resource', ':', 1) = any('{segment,experiment,reports,seen_user}'::text[]) then 'segments'
  when split_part(metadata ->> 'resource', ':', 1) = any('{webhook,integration}'::text[]) then 'receivers'
end) is not null;
