import type { JsonValue } from '@burgee/evaluation'
import { objectOf } from '../reading.ts'
import { JAVASCRIPT_DIFFERS } from '../report.ts'
import { entriesOf } from '../systems/flagd/read-flagd.ts'
import { type EngineKind, type EngineUser, nest } from './engine.ts'

interface FlagdModule {
  readonly FlagdCore: new (
    storage: undefined,
    logger: object,
  ) => {
    setConfigurations(text: string): unknown
    getFlag(key: string):
      | {
          readonly state: string
          evaluate(context: object, logger: object): { readonly value?: JsonValue }
        }
      | undefined
  }
}

const SILENT = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }

export const FLAGD: EngineKind = {
  npmPackage: '@openfeature/flagd-core',
  version: '4.0.1',
  // Burgee agrees with flagd itself, which is no npm package.
  agrees: ({ notes }) => notes.every(({ code }) => code !== JAVASCRIPT_DIFFERS),
  start: async ({ files, load }) => {
    const { FlagdCore } = (await load('@openfeature/flagd-core')) as FlagdModule
    const contents = files.map(({ data }) => objectOf(data))
    const core = new FlagdCore(undefined, SILENT)
    core.setConfigurations(
      JSON.stringify({
        flags: Object.fromEntries(contents.flatMap(({ flags }) => entriesOf(flags))),
        $evaluators: Object.fromEntries(
          contents.flatMap(({ $evaluators }) => Object.entries(objectOf($evaluators))),
        ),
      }),
    )
    return {
      has: (key) => core.getFlag(key) !== undefined,
      adapt: withoutEmptyTexts,
      ask: (key, user, { value }) => {
        const context = { targetingKey: user.key, ...nest(user.attributes) }
        const flag = core.getFlag(key)
        // A disabled flag gives the default of the code.
        const theirs = flag?.state === 'DISABLED' ? null : flag?.evaluate(context, SILENT).value
        return { theirs: theirs ?? null, ours: value }
      },
      close: () => {},
    }
  },
}

/** This engine reads an empty text as the number 0, and flagd itself does not (docs/import.md). */
const withoutEmptyTexts = ({ attributes, key }: EngineUser): EngineUser => ({
  key,
  attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== '')),
})
