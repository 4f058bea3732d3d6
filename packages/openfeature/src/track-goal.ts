import type { Client } from '@burgee/sdk'
import { userOf } from './user-of.ts'

interface Tracked {
  readonly eventKey: string
  readonly context: Readonly<Record<string, unknown>>
  readonly details: Readonly<Record<string, unknown>> & { readonly value?: number }
}

/** Reports a goal event of the user of a context. */
export function trackGoal(client: Client, { context, details, eventKey }: Tracked): void {
  const { value, ...others } = details
  const hasMore = Object.keys(others).length > 0
  client.track(eventKey, userOf(context).userKey, { value, ...(hasMore && { context: others }) })
}
