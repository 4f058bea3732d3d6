export { findViolations } from './find-violations.ts'
export { guardWrite } from './guard-write.ts'
export { invariantHandlers } from './handlers.ts'
