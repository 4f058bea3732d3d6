export { sdkKeyHandlers } from './handlers.ts'
export { insertSdkKey } from './insert-sdk-key.ts'
export { createKeyCredentials, type KeyCredentials } from './key-credentials.ts'
export { createKeyUses, type KeyUses } from './key-uses.ts'
