-- locks: flags, segments
-- Fields of flags and segments that are absent unless they are set, as the text of one object.
alter table flags add column extensions json not null default '{}';
alter table segments add column extensions json not null default '{}';

-- The counted bytes of a row include them.
drop trigger flags_count_changed_bytes on flags;
drop trigger segments_count_changed_bytes on segments;
alter table flags drop column bytes;
alter table segments drop column bytes;
alter table flags add column bytes integer not null generated always as (
  400 + octet_length(key) + coalesce(octet_length(description), 0) + octet_length(rules::text) + octet_length(default_value::text)
  + octet_length(disabled_value::text) + octet_length(variants::text) + octet_length(prerequisites::text) + octet_length(tags::text)
  + octet_length(extensions::text) - 2
) stored;
alter table segments add column bytes integer not null generated always as (
  300 + octet_length(name) + coalesce(octet_length(description), 0) + octet_length(rules::text) + octet_length(extensions::text) - 2
) stored;
create trigger flags_count_changed_bytes after update on flags for each row when (old.bytes <> new.bytes) execute function count_stored_bytes();
create trigger segments_count_changed_bytes after update on segments for each row when (old.bytes <> new.bytes) execute function count_stored_bytes();
