import type { JsonValue } from '@burgee/evaluation'
import { objectOf } from '../reading.ts'
import { type EngineKind, nest } from './engine.ts'

interface FlagdModule {
  readonly FlagdCore: new (
    storage: undefined,
    logger: object,
  ) => {
    setConfigurations(text: string): unknown
    getFlag(
      key: string,
    ): { evaluate(context: object, logger: object): { readonly value?: JsonValue } } | undefined
  }
}

const SILENT = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }

export const FLAGD: EngineKind = {
  npmPackage: '@openfeature/flagd-core',
  version: '4.0.1',
  start: async ({ files, load }) => {
    const { FlagdCore } = (await load('@openfeature/flagd-core')) as FlagdModule
    const contents = files.map(({ data }) => objectOf(data))
    const core = new FlagdCore(undefined, SILENT)
    core.setConfigurations(
      JSON.stringify({
        flags: Object.assign({}, ...contents.map(({ flags }) => objectOf(flags))),
        $evaluators: Object.assign({}, ...contents.map(({ $evaluators }) => objectOf($evaluators))),
      }),
    )
    return {
      has: (key) => core.getFlag(key) !== undefined,
      ask: (key, user, { value }) => {
        const context = { targetingKey: user.key, ...nest(user.attributes) }
        return { theirs: core.getFlag(key)?.evaluate(context, SILENT).value ?? null, ours: value }
      },
      close: () => {},
    }
  },
}
