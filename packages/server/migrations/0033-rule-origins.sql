-- locks: environment_changes
-- The written rule and the segments that each expanded rule of a flag comes from; null where each expanded rule is
-- the written one at its place.
alter table environment_changes add column origins json;
