import { routes as listRoutes } from '../../vite/contract-endpoints.ts'
import { wireNames as listNames } from '../../vite/wire-names.ts'

/** The module that the build makes of the contract, for tests of code that imports it (vitest.config.ts). */
export const routes = listRoutes()
export const wireNames = listNames()
