-- locks: access_tokens
-- The token that created a token. A token ends with the one that created it, also when that belongs to another account:
-- an admin creates tokens of service accounts. Null for those that a session has created.
alter table access_tokens add column parent_id integer references access_tokens (id) on delete cascade;
create index access_tokens_parent_id_idx on access_tokens (parent_id) where parent_id is not null;
