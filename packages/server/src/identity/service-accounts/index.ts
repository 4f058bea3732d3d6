export { type ServiceAccountDeps, serviceAccountHandlers } from './handlers.ts'
