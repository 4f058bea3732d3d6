-- locks: users
-- The time at which SCIM changed the e-mail address of an account, until its person confirms the address in a session. No
-- link is sent to it before.
alter table users add column email_unconfirmed_since timestamptz;

-- The SHA-256 of the states of logins with the identity provider whose callback has arrived. Each callback works once.
create table used_login_states (
  state_hash text primary key,
  expires_at timestamptz not null
);
create index used_login_states_expires_at_idx on used_login_states (expires_at);
