-- locks: audit_log
-- Entries without a place in a chain: those of before the chains, and those that were inserted past it. A verification
-- looks for the latter in every environment.
create index audit_log_unchained_idx on audit_log (environment_id, id) where chain is null;
