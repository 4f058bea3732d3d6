import { type ManifestType, toManifestType } from './manifest.ts'
import { quote } from './quote.ts'
import { sortFlags, type TypedFlag } from './typed-flag.ts'

const KEY_TYPES: Readonly<Record<string, readonly ManifestType[]>> = {
  BooleanFlagKey: ['boolean'],
  StringFlagKey: ['string'],
  NumberFlagKey: ['integer', 'float'],
  ObjectFlagKey: ['object'],
}

/**
 * Returns `openfeature.gen.d.ts`: the keys of the flags by the type of their values.
 * A declaration file, because a program with `skipLibCheck` may replace the types there.
 */
export function generateOpenFeature(flags: readonly TypedFlag[]): string {
  const active = sortFlags(flags).filter(({ archived_at }) => archived_at === null)
  const unions = Object.entries(KEY_TYPES).map(([name, types]) => {
    const keys = active.filter((flag) => types.includes(toManifestType(flag))).map(({ key }) => quote(key))
    return `  export type ${name} = ${keys.length === 0 ? 'never' : keys.join(' | ')}\n`
  })
  return `// Made by "burgee generate" from the flags of a server. Changes by hand are lost.
import '@openfeature/core'

declare module '@openfeature/core' {
${unions.join('')}}
`
}
