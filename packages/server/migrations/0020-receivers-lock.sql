-- locks: integrations, webhooks
-- A change stores its event as delivered where its environment has no enabled receiver. So whoever adds or enables one, also a
-- server of before, waits for the changes that are being made, and later changes wait for it: they see the receiver.
create function lock_environment_of_receiver() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or not old.enabled then
    perform from environments where id = new.environment_id for no key update;
  end if;
  return new;
end
$$;
create trigger webhooks_lock_environment before insert or update of enabled on webhooks
  for each row when (new.enabled) execute function lock_environment_of_receiver();
create trigger integrations_lock_environment before insert or update of enabled on integrations
  for each row when (new.enabled) execute function lock_environment_of_receiver();
