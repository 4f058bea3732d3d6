export { changeRequestHandlers } from './handlers.ts'
export { openChangeRequest } from './open-change-request.ts'
export { changeRequestExists } from './queries.ts'
