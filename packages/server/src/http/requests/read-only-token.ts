import type { Endpoint } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden, type Refusal } from '../../kernel/refusal.ts'

/** Returns the refusal of a `read_only` token for every request of the endpoint; null otherwise. */
export function findReadOnlyRefusal(
  { changesNothing, method }: Pick<Endpoint, 'changesNothing' | 'method'>,
  actor: Actor,
): Refusal | null {
  return isReadOnly(actor) && method !== 'GET' && !changesNothing ? readOnly() : null
}

/** Refuses a `read_only` token for what is no dry run, where only dry runs change nothing. */
export function requireDryRun(
  { changesNothing }: Pick<Endpoint, 'changesNothing'>,
  { actor, body }: { readonly actor: Actor | null; readonly body: unknown },
): void {
  if (changesNothing !== 'dry_run' || !actor || !isReadOnly(actor)) return
  if (Object(body).dry_run !== true) throw readOnly()
}

const isReadOnly = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.credential.kind === 'token' && actor.credential.scope === 'read_only'

const readOnly = () =>
  forbidden(
    'This token is read_only, and this call changes something. Use a token with the scope read_write.',
  )
