-- locks: login_failures, users
-- Browsers that have signed in to an account before count their failed logins by themselves, so that nobody else can lock them out.

-- Grows with every new password: what browsers were given before stops being known.
alter table users add column password_version integer not null default 1;

-- Set where the failures are those of one known browser of this user; null where they are those of an e-mail address.
alter table login_failures add column user_id integer references users (id) on delete cascade;
create index login_failures_user_id_idx on login_failures (user_id) where user_id is not null;
