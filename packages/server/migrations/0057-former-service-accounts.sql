-- locks:
-- Those who made a service account that was deleted. Keys that it created stay, and their requests still have
-- the same people behind them.
create table former_service_accounts (
  id integer primary key,
  maker_ids integer[] not null
);
