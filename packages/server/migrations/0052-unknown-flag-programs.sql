-- locks: unknown_flags
-- The program that reported an unknown flag last, and its SDK; null where neither was sent.
alter table unknown_flags add column app text, add column sdk text;
