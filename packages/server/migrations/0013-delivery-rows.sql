-- locks: integration_deliveries, webhook_deliveries
-- Attempts of webhooks and of chats are logged alike. What was logged before has neither.
alter table webhook_deliveries add column duration_ms integer;
alter table integration_deliveries add column message_id text;
