-- locks: environments
-- Counts for each environment how often seen users, or what is kept of them, were removed. Instances keep samples of seen
-- users in memory for some seconds, and read them again after a removal.
create table seen_user_removals (
  environment_id uuid primary key references environments on delete cascade,
  removals bigint not null
);
