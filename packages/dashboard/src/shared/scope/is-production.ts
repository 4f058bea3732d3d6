import type { Environment } from '@burgee/contract'

/** Environments whose changes reach customers: by slug, since that never changes. */
export const isProduction = (environment: Pick<Environment, 'slug'> | undefined): boolean =>
  environment !== undefined && /^(prod|production|live)(-|$)/.test(environment.slug)
