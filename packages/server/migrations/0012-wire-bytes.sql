-- locks: environments, flags
-- What SDKs receive of each flag, in bytes of JSON with its segments expanded, and of each environment. Kept by the writes themselves; for what
-- there is already an estimate, which the next change of a flag replaces.
alter table flags add column wire_bytes integer not null default 0;
alter table environments add column wire_bytes bigint not null default 0;
update flags set wire_bytes = least(2147483647, bytes + (
  select coalesce(sum(segments.bytes), 0) from json_array_elements(flags.rules) as rule
  join segments on segments.environment_id = flags.environment_id and segments.key = rule ->> 'segment_key'
)) where archived_at is null;
update environments set wire_bytes = (
  select coalesce(sum(wire_bytes), 0) from flags where environment_id = environments.id
);

create function forget_wire_bytes() returns trigger language plpgsql as $$
begin
  update environments set wire_bytes = greatest(0, wire_bytes - old.wire_bytes) where id = old.environment_id;
  return null;
end
$$;
create trigger flags_forget_wire_bytes after delete on flags
  for each row when (old.wire_bytes <> 0) execute function forget_wire_bytes();
