export { roleHandlers } from './handlers.ts'
export { membershipIn } from './membership-queries.ts'
export { lockRolesForShare } from './queries.ts'
export { includesAll, type StoredMembership, toGrant, toMembership } from './role.ts'
