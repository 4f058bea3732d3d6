export { createGroupMapping, type MappingDeps } from './create-group-mapping.ts'
export { deleteGroupMapping } from './delete-group-mapping.ts'
export { createGroupChanges, type GroupChanges } from './group-changes.ts'
export { givesNothing, rightsOf } from './group-rights.ts'
export {
  findMappings,
  hasMappings,
  isMappedRole,
  listMappingRows,
} from './mapping-queries.ts'
export { grantPerson } from './person-rights.ts'
export { findProvisioning } from './provisioning-queries.ts'
export { putPeople } from './waiting-queries.ts'
