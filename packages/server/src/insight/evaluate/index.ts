export { evaluateHandlers } from './handlers.ts'
export { createLoadMoment } from './moment.ts'
