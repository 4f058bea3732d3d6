export { roleHandlers } from './handlers.ts'
export { membershipIn } from './membership-queries.ts'
export { lockRolesForShare, roleExists } from './queries.ts'
export { includesAll, toGrant, toMembership } from './role.ts'
