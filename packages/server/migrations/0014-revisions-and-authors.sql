-- locks: flags, segments
-- Revisions of segments, for If-Match: unique in the database, so that a segment that is created again has another one than before.
create sequence segment_revisions;
alter table segments add column revision bigint not null default nextval('segment_revisions');

-- Who changed a flag last, by the log. An approval may only schedule a change, and a failure changes nothing.
alter table flags add column updated_by text;
update flags set updated_by = (
  select actor_email from audit_log
  where audit_log.environment_id = flags.environment_id and audit_log.flag_key = flags.key and audit_log.flag_key <> ''
    and action in ('create', 'update', 'archive', 'unarchive', 'restore', 'promote', 'change_request.approve')
    and metadata->>'error' is null and before_data::text is distinct from after_data::text
  order by id desc limit 1
);
