export { createCopySegments } from './copy-segments.ts'
export { segmentHandlers } from './handlers.ts'
export { segmentExists } from './queries.ts'
