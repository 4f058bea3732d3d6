export { readReachedSegments, readSegments } from './queries.ts'
