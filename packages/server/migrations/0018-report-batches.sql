-- locks:

-- The names of stored batches of reports, so that one that is sent again is stored once (docs/reference/reports.md#named-batches).
-- `reporter` is the credential: `sdk_key:7` or `user:3`. No foreign key: the rows expire.
create table report_batches (
  environment_id uuid not null,
  reporter text not null,
  sender uuid not null,
  number bigint not null,
  stored_at timestamptz not null default now(),
  primary key (environment_id, reporter, sender, number)
);
-- For removing what is expired. Rows are added in the order of their time.
create index report_batches_stored_idx on report_batches using brin (stored_at) with (pages_per_range = 32);
