export { isManifestUrl, toManifestFailure } from './failure.ts'
export { manifestHandlers } from './handlers.ts'
