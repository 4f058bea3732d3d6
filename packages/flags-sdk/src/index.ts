export {
  type BurgeeAdapter,
  type BurgeeAdapterOptions,
  type BurgeeEntities,
  createBurgeeAdapter,
} from './create-burgee-adapter.ts'
export { getProviderData, type ProviderDataOptions } from './get-provider-data.ts'
