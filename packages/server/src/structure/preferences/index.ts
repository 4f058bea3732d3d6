export { preferenceHandlers } from './handlers.ts'
