-- Revisions of segments, for If-Match: unique in the database, so that a segment that is created again has another one than before.
create sequence segment_revisions;
alter table segments add column revision bigint not null default nextval('segment_revisions');

-- Who changed a flag last. The log knows it of flags that there are.
alter table flags add column updated_by text;
update flags set updated_by = (
  select actor_email from audit_log
  where audit_log.environment_id = flags.environment_id and audit_log.flag_key = flags.key and audit_log.flag_key <> ''
  order by id desc limit 1
);
