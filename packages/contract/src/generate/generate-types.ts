import { quote, toCommentText } from './quote.ts'
import { sortFlags, type TypedFlag } from './typed-flag.ts'
import { toValueType } from './value-type.ts'

interface GenerateOptions {
  /** Leaves out flags that are archived or expired, so that a program that names one does not compile. */
  readonly strict?: boolean
  /** The moment at which a flag counts as expired, in ISO 8601. */
  readonly now: string
}

/** The text before the flags, and that after them. */
export const TYPES_WRAP = {
  before: `// Made by "burgee generate" from the flags of a server. Changes by hand are lost.
import '@burgee/sdk'

type Json = string | number | boolean | null | { readonly [name: string]: Json } | ReadonlyArray<Json>

declare module '@burgee/sdk' {
  interface Flags {
`,
  after: `  }
}

export type { Json }
`,
}

/** Returns `burgee.gen.ts`: the keys and values of the flags, for `@burgee/sdk`. */
export function generateTypes(flags: readonly TypedFlag[], options: GenerateOptions): string {
  const members = sortFlags(flags).map((flag) => generateType(flag, options) ?? '')
  return `${TYPES_WRAP.before}${members.join('')}${TYPES_WRAP.after}`
}

/** Returns the text of one flag between those of `TYPES_WRAP`; null where it is left out. */
export function generateType(flag: TypedFlag, { now, strict = false }: GenerateOptions): string | null {
  if (strict && describeEnd(flag, now) !== null) return null
  return `${toDocs(flag, now)}    ${quote(flag.key)}: ${toValueType(flag)}\n`
}

function toDocs(flag: TypedFlag, now: string): string {
  const end = describeEnd(flag, now)
  const lines = [
    ...(flag.description ? [toCommentText(flag.description)] : []),
    ...(flag.owner_email ? [`Owner: ${toCommentText(flag.owner_email)}`] : []),
    ...(flag.links ?? []).map(({ title, url }) => toCommentText(`${title}: ${url}`)),
    ...(end === null ? [] : [`@deprecated ${end}`]),
  ].filter((line) => line !== '')
  if (lines.length === 0) return ''
  return `    /**\n${lines.map((line) => `     * ${line}\n`).join('')}     */\n`
}

/** Describes why a flag should not be used any more; null while it may be. */
function describeEnd({ archived_at, expires_at }: TypedFlag, now: string): string | null {
  if (archived_at !== null)
    return `Archived on ${dayOf(archived_at)}: it is evaluated as a flag that does not exist.`
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.parse(now))
    return `Expired on ${dayOf(expires_at)}: remove it from the code.`
  return null
}

const dayOf = (time: string): string => toCommentText(time.slice(0, 10))
