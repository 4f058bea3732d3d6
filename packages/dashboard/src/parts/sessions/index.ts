export { describeDevice } from './describe-device.ts'
export { SessionRows } from './session-rows.tsx'
