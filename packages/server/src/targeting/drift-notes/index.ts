export { driftNoteHandlers } from './handlers.ts'
