-- locks: domain_events, environments
-- Telling others: webhooks, chat integrations, and the queue of what is to be sent.

create table webhooks (
  id uuid primary key,
  environment_id uuid not null references environments (id) on delete cascade,
  name text not null,
  url text not null,
  secret_sealed text,
  enabled boolean not null default true,
  -- The newest event when it was created or enabled: it is told of later ones only.
  after_event_id bigint not null,
  created_at timestamptz not null,
  position bigint generated always as identity
);
create index webhooks_environment_idx on webhooks (environment_id);

create table integrations (
  id uuid primary key,
  environment_id uuid not null references environments (id) on delete cascade,
  kind text not null check (kind in ('slack', 'teams')),
  name text not null,
  -- A bearer credential: whoever has it can write into the chat.
  webhook_url_sealed text not null,
  webhook_url_preview text not null,
  events json not null,
  enabled boolean not null default true,
  after_event_id bigint not null,
  created_at timestamptz not null,
  position bigint generated always as identity
);
create index integrations_environment_idx on integrations (environment_id);

-- What is to be sent, one row a receiver and event until it went well or was given up. An instance that takes one claims it
-- and renews the claim while it works on it; the claim of an instance that died runs out.
create table delivery_jobs (
  id bigint generated always as identity primary key,
  webhook_id uuid references webhooks (id) on delete cascade,
  integration_id uuid references integrations (id) on delete cascade,
  receiver_id uuid not null generated always as (coalesce(webhook_id, integration_id)) stored,
  event_id bigint not null references domain_events (id) on delete cascade,
  message_id text not null,
  -- A person asked for it (a test, or once more): the first attempt goes to a disabled receiver too.
  asked_for boolean not null default false,
  attempt integer not null default 1,
  run_at timestamptz not null,
  claimed_until timestamptz,
  check (num_nonnulls(webhook_id, integration_id) = 1)
);
create index delivery_jobs_receiver_idx on delivery_jobs (receiver_id);
create index delivery_jobs_first_idx on delivery_jobs (receiver_id, id) where attempt = 1;
create index delivery_jobs_retry_idx on delivery_jobs (receiver_id, run_at) where attempt > 1;
create index delivery_jobs_webhook_idx on delivery_jobs (webhook_id) where webhook_id is not null;
create index delivery_jobs_integration_idx on delivery_jobs (integration_id) where integration_id is not null;
create index delivery_jobs_event_idx on delivery_jobs (event_id);

-- Attempts of webhooks and of chats are logged alike. What was logged first has neither a duration nor the id of its message.
create table webhook_deliveries (
  id integer generated always as identity primary key,
  webhook_id uuid not null references webhooks (id) on delete cascade,
  -- Null once the event is no longer kept: then it cannot be sent again.
  event_id bigint references domain_events (id) on delete set null,
  event text not null,
  message_id text not null,
  attempt integer not null,
  status_code integer,
  response_body text,
  error text,
  delivered_at timestamptz not null,
  duration_ms integer
);
create index webhook_deliveries_webhook_idx on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_event_idx on webhook_deliveries (event_id);

create table integration_deliveries (
  id integer generated always as identity primary key,
  integration_id uuid not null references integrations (id) on delete cascade,
  event text not null,
  attempt integer not null,
  status_code integer,
  response_body text,
  error text,
  duration_ms integer not null,
  delivered_at timestamptz not null,
  message_id text
);
create index integration_deliveries_integration_idx on integration_deliveries (integration_id, id desc);
