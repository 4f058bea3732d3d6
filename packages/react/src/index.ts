'use client'

export { BurgeeProvider, type BurgeeProviderProps, type BurgeeUser } from './burgee-provider.ts'
export { useEvaluation, useFlag, useTrack, useVariant } from './use-flags.ts'
export { type BurgeeStatus, useStatus } from './use-status.ts'
