import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/is-uuid.ts'
import { invalid } from '../../kernel/refusal.ts'

/**
 * The name under which a program sends a batch of reports, so that a repetition is stored once
 * (docs/reference/reports.md#named-batches). A name is unique for its reporter in an environment.
 */
export interface BatchName {
  /** The identity of the credential: `sdk_key:7`. */
  readonly reporter: string
  /** The UUID of the program, in lower case. */
  readonly sender: string
  readonly number: number
}

/** `<uuid>.<number>`. Every number is a safe integer. */
const NAME = /^([^.]{36})\.(0|[1-9]\d{0,14})$/

/**
 * Reads the name of a batch; undefined where it has none.
 *
 * @throws Refusal of the kind `invalid` for another text.
 */
export function readBatchName(actor: Actor, text: string | undefined): BatchName | undefined {
  if (text === undefined) return undefined
  const [, sender = '', number = ''] = NAME.exec(text) ?? []
  if (!isUuid(sender))
    throw invalid([
      { path: '/batch', message: 'must be <uuid>.<number>, with a number of at most 15 digits' },
    ])
  return { reporter: actorIdentity(actor), sender: sender.toLowerCase(), number: Number(number) }
}

/** Returns the batches without those whose name another one before them has. */
export function firstOfEachName<Batch extends { readonly name?: BatchName | undefined }>(
  batches: readonly Batch[],
): readonly Batch[] {
  const seen = new Set<string>()
  return batches.filter(({ name }) => name === undefined || seen.size < seen.add(keyOf(name)).size)
}

/** Returns a text that only this name has. */
export const keyOf = ({ number, reporter, sender }: BatchName): string => `${reporter} ${sender}.${number}`
