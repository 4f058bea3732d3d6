-- locks:
-- The connections of an SDK to further servers. `sdk_clients` has one row for a client, of one server; a client with
-- streams at several servers has a row here for each of the others. When one of them ends, the others still count.
-- Older servers read and write `sdk_clients` only, so both may run at the same time. Unlogged like `sdk_clients`.
create unlogged table sdk_client_places (
  environment_id uuid not null,
  client_id uuid not null,
  key_id integer,
  app text not null,
  sdk text not null,
  instance text not null,
  server_id uuid not null,
  transport text not null check (transport in ('stream', 'poll')),
  revision bigint not null,
  connected_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (environment_id, client_id, server_id)
);
create index sdk_client_places_server_idx on sdk_client_places (server_id);
