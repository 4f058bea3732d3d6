-- locks: environment_changes
-- What a row of the kept change log adds to the storage of its environment; 0 in rows of before.
alter table environment_changes add column bytes integer not null default 0;
