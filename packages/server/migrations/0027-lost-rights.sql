-- locks: audit_log, one_time_links, users
-- For the filters of the workspace's audit log, which names no project. Few entries have a resource or switch a flag.
create index audit_log_actor_idx on audit_log (lower(actor_email), id desc);
create index audit_log_action_idx on audit_log (action, id desc);
create index audit_log_resource_idx on audit_log ((metadata ->> 'resource'), id desc) where metadata ->> 'resource' is not null;
create index audit_log_workspace_switched_idx on audit_log (id desc)
  where flag_key <> '' and ((before_data ->> 'is_enabled') <> (after_data ->> 'is_enabled')
    or before_chunks is not null or after_chunks is not null);
create index audit_log_any_flag_idx on audit_log (flag_key, id desc) where flag_key <> '';

-- A link that anyone requested for an address does not replace one that an admin has created.
drop index one_time_links_user_purpose_key;
create index one_time_links_user_id_idx on one_time_links (user_id);

-- A workspace role that an admin has set to viewer by hand, which groups do not raise.
alter table users drop constraint users_role_source_check;
alter table users add constraint users_role_source_check check (role_source in ('manual', 'groups', 'pinned'));

-- People to whom a change of the table of groups is still to be applied, and who made it. Without a foreign key, so that
-- the change locks no user.
create table waiting_group_changes (
  user_id integer primary key,
  requested_by text not null
);
