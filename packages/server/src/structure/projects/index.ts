export { projectHandlers } from './handlers.ts'
export { insertProject } from './insert-project.ts'
export { findProjectScope } from './queries.ts'
