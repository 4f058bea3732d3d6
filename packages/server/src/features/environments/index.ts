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
  readableEnvironments,
} from './queries.ts'
export { seedEnvironments } from './seed-environments.ts'
