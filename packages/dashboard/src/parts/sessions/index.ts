export { SessionRows } from './session-rows.tsx'
