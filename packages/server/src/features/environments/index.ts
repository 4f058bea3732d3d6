export { environmentHandlers } from './handlers.ts'
export {
  defaultEnvironmentOfOldestProject,
  findEnvironmentName,
  findEnvironmentScope,
  holdProject,
  lockEnvironmentsOf,
  readableEnvironments,
} from './queries.ts'
export { seedEnvironments } from './seed-environments.ts'
