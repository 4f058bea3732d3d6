export { changeRequestHandlers } from './handlers.ts'
export { openChangeRequest } from './open-change-request.ts'
export { changeRequestExists, listPendingBodies } from './queries.ts'
export { renameSegmentInRequests } from './rename-segment-in-requests.ts'
