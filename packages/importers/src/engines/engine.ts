import type { Evaluation, JsonValue } from '@burgee/evaluation'
import type { SourceFile } from '../system.ts'

/** A user of a comparison. */
export interface EngineUser {
  readonly key: string
  readonly attributes: Readonly<Record<string, string | number | boolean | null | string[]>>
}

/** The results of both. Equal results have equal JSON texts. */
interface Answer {
  readonly theirs: JsonValue
  readonly ours: JsonValue
}

/** The evaluation of another service, with the flags of one environment. */
export interface Engine {
  has(key: string): boolean
  /** Returns the user without attributes that the two services are known to read differently. */
  adapt?(user: EngineUser): EngineUser
  ask(key: string, user: EngineUser, ours: Evaluation): Answer | Promise<Answer>
  close(): void
}

export interface EngineInput {
  readonly files: readonly SourceFile[]
  /** The environment that is verified, by the name that the import gave it. */
  readonly environment: string
  /** The environment that the import was asked for. */
  readonly wanted: string | undefined
  /** Imports a module of the engine's package. */
  readonly load: (module: string) => Promise<unknown>
}

export interface EngineKind {
  /** The npm package with the version that the tests compare with. */
  readonly npmPackage: string
  readonly version: string
  readonly start: (input: EngineInput) => Promise<Engine>
}

/** Returns attributes as an engine has them that puts `user.plan` into an object. */
export function nest(attributes: EngineUser['attributes']): Record<string, JsonValue> {
  const context: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const path = name.split('.')
    const last = path.pop() ?? name
    let inner = context
    for (const part of path) {
      const next = inner[part]
      const object = typeof next === 'object' && next !== null && !Array.isArray(next) ? { ...next } : {}
      inner[part] = object
      inner = object
    }
    inner[last] = value
  }
  return context
}
