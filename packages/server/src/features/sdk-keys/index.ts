export { sdkKeyHandlers } from './handlers.ts'
export { insertSdkKey } from './insert-sdk-key.ts'
export { createKeyCredentials, type KeyCredentials } from './key-credentials.ts'
export { sdkKeyExists } from './queries.ts'
