export { createExceededBounds } from './find-exceeded-bounds.ts'
export { exceededBoundHandlers } from './handlers.ts'
export { createExceededBoundsLog } from './log-exceeded-bounds.ts'
