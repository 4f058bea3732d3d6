-- locks: audit_chains, audit_log
-- Every entry of a flag was in fifteen indexes. Those of the projects' logs held what those of the workspace's log hold, in the
-- same order: a filter of a project reads the entries of its person, action, flag, time or switch from these, or those of the
-- project from `audit_log_project_idx`, whichever are fewer.
drop index audit_log_project_actor_idx;
drop index audit_log_project_action_idx;
drop index audit_log_project_flag_idx;
drop index audit_log_project_time_idx;
drop index audit_log_switched_idx;

-- Every entry moved its chain in this index, and with it in all indexes of the chains. There is one chain for each environment.
drop index audit_chains_moved_idx;
