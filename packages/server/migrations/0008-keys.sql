-- locks: change_requests, environments, sdk_keys, workspace
-- SDK keys that read and report only, where keys come from, and whether keys may manage.

alter table sdk_keys drop constraint sdk_keys_kind_check;
alter table sdk_keys add constraint sdk_keys_kind_check check (kind in ('server', 'reader', 'client'));

-- The key that it was created with. No foreign key: that one may be revoked, and ids are not used twice.
alter table sdk_keys add column parent_id integer;
-- The user that it was created by, also by way of other keys; null where that is not known. No foreign key for the same reason.
alter table sdk_keys add column created_by integer;
-- It came with its project.
alter table sdk_keys add column is_seeded boolean not null default false;

-- Whether its SDK keys may create and revoke keys, and change webhooks, integrations and the environment. Both must say so.
alter table environments add column keys_may_manage boolean not null default true;
alter table workspace add column keys_may_manage boolean not null default true;

-- The user behind whoever asked, who may not approve: the person, or the creator of the key.
alter table change_requests add column requester_user_id integer;
update change_requests set requester_user_id = substr(requester, 6)::integer where requester ~ '^user:[0-9]+$';
