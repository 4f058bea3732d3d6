export { lifecycleHandlers } from './handlers.ts'
export { projectFlagExists } from './queries.ts'
