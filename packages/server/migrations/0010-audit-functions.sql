-- locks:
-- The functions that make and drop months of the audit log run with the rights of the tables' owner, and PostgreSQL lets
-- every role call a new function. These are for the owner only. The server calls them over the owner's connection.
revoke execute on function make_audit_months() from public;
revoke execute on function drop_audit_months(date) from public;
