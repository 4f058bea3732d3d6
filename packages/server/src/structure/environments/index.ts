export { environmentHandlers } from './handlers.ts'
export {
  defaultEnvironmentOfOldestProject,
  findEnvironment,
  findEnvironmentName,
  findEnvironmentScope,
  findNameIn,
  listEnvironments,
  lockEnvironmentsOf,
  lockProjectForShare,
} from './queries.ts'
export { seedEnvironments } from './seed-environments.ts'
export { readableEnvironments } from './user-queries.ts'
