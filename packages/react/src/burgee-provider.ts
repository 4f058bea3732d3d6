import type { Attributes, Client, DehydratedFlags } from '@burgee/sdk'
import { createElement, type FunctionComponent, type ReactNode, useEffect, useState } from 'react'
import { FlagsContext, type ProvidedFlags } from './flags-context.ts'

/** The user of a page. */
export interface BurgeeUser {
  /** The stable identifier that is hashed for rollouts and variants. Null or absent for an anonymous user. */
  readonly key?: string | null | undefined
  /** The attributes that rules match against. */
  readonly attributes?: Attributes | null | undefined
}

export interface BurgeeProviderProps {
  /** The client. The provider connects it when it is mounted, and never closes it. */
  readonly client: Client
  /** The user; absent for an anonymous one. A user with the same contents is the same user. */
  readonly user?: BurgeeUser | null | undefined
  /** The values that the server rendered: what `dehydrate()` of the user's flags returned there. */
  readonly initial?: DehydratedFlags | null | undefined
  readonly children?: ReactNode
}

/** Provides the flags of a user to the hooks below it. */
export const BurgeeProvider: FunctionComponent<BurgeeProviderProps> = (props) => {
  const { children, client } = props
  const [held, setHeld] = useState(() => hold(props))
  let current = held

  if (held.client !== client || held.identity !== identityOf(props)) {
    current = hold(props, held)
    setHeld(current)
  }

  useEffect(() => {
    // Errors are in the status, and the client keeps trying.
    client.connect().catch(() => {})
  }, [client])

  return createElement(FlagsContext.Provider, { value: current }, children)
}

/** The provided flags, and the properties that they were made from. */
interface Held extends ProvidedFlags {
  readonly identity: string
  readonly initial: DehydratedFlags | null
}

/** @param before What was held for another user or client. */
function hold(props: BurgeeProviderProps, before?: Held): Held {
  const { client, initial = null, user } = props
  // Values of the server belong to the user with whom they came.
  const own = before?.initial === initial ? null : initial
  return {
    client,
    flags: client.forUser(user?.key, user?.attributes, { initial: own }),
    // The same for ever: parts of the page that hydrate late were rendered with the first values.
    rendered: before ? before.rendered : initial,
    identity: identityOf(props),
    initial,
  }
}

/** Returns a text that differs for users with different results. */
function identityOf({ user }: BurgeeProviderProps): string {
  try {
    return JSON.stringify([user?.key ?? null, user?.attributes ?? {}])
  } catch {
    // Attributes that are no JSON: rules cannot match them either.
    return String(user?.key)
  }
}
