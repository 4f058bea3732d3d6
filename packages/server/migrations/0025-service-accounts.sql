-- locks: change_requests, identities, one_time_links, passkeys, sessions, totp_secrets, users
-- Accounts of programs: without a login, and with roles in projects only.
alter table users
  add column kind text not null default 'person' check (kind in ('person', 'service_account')),
  -- The users who created a service account or any of its tokens. They may not approve what it requests.
  add column maker_ids integer[] not null default '{}',
  add constraint users_service_account_check
    check (kind = 'person' or (role = 'viewer' and password_hash is null));
create index users_service_accounts_idx on users (id) where kind = 'service_account';

-- No path of the code leads to a login of a service account. The database refuses what would be one.
create function refuse_login_of_service_account() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.user_id and kind = 'service_account') then
    raise exception 'a service account has no login';
  end if;
  return new;
end $$;
create trigger sessions_refuse_service_account before insert on sessions
  for each row execute function refuse_login_of_service_account();
create trigger one_time_links_refuse_service_account before insert on one_time_links
  for each row execute function refuse_login_of_service_account();
create trigger identities_refuse_service_account before insert on identities
  for each row execute function refuse_login_of_service_account();
create trigger passkeys_refuse_service_account before insert on passkeys
  for each row execute function refuse_login_of_service_account();
create trigger totp_secrets_refuse_service_account before insert on totp_secrets
  for each row execute function refuse_login_of_service_account();

-- The makers of the service account behind a request, at that time: it may be deleted before the decision.
alter table change_requests add column requester_maker_ids integer[] not null default '{}';
