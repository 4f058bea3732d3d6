import type { Devtools } from './mount-devtools.ts'

/** Does nothing: builds for production resolve the package to this file. */
export const mountDevtools = (): Devtools => ({ close: () => {} })
