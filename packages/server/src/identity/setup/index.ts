export { createAdmitSetup } from './admit-setup.ts'
export { setupHandlers } from './handlers.ts'
export { prepareSetup } from './prepare-setup.ts'
