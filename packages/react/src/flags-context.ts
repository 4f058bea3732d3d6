import type { Client, DehydratedFlags, UserFlags } from '@burgee/sdk'
import { type Context, createContext, useContext } from 'react'

/** The value that the provider gives to the hooks. */
export interface ProvidedFlags {
  readonly client: Client
  readonly flags: UserFlags
  /** The values that the server rendered, if it gave them. */
  readonly rendered: DehydratedFlags | null
}

export const FlagsContext: Context<ProvidedFlags | null> = createContext<ProvidedFlags | null>(null)

/** Returns what the nearest provider gives. */
export function useProvided(): ProvidedFlags {
  const provided = useContext(FlagsContext)
  if (!provided) throw new Error('This hook needs a <BurgeeProvider> above it.')
  return provided
}
