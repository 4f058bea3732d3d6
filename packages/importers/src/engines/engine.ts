import type { Evaluation, JsonValue } from '@burgee/evaluation'
import { isObject, type JsonObject } from '../reading.ts'
import type { FlagReport } from '../report.ts'
import type { SourceFile } from '../system.ts'

/** A user of a comparison. */
export interface EngineUser {
  readonly key: string
  readonly attributes: Readonly<Record<string, string | number | boolean | null | string[]>>
}

/** The results of both. Equal results have equal JSON texts. */
interface Response {
  readonly theirs: JsonValue
  readonly ours: JsonValue
}

/** The evaluation of another service, with the flags of one environment. */
export interface Engine {
  has(key: string): boolean
  /** Returns the user without attributes that the two services are known to read differently. */
  adapt?(user: EngineUser): EngineUser
  ask(key: string, user: EngineUser, ours: Evaluation): Response | Promise<Response>
  close(): void
}

export interface EngineInput {
  readonly files: readonly SourceFile[]
  /** The environment that is verified, by the name that the import gave it. */
  readonly environment: string
  /** The environment that the import was requested. */
  readonly wanted: string | undefined
  /** Imports a module of the engine's package. */
  readonly load: (module: string) => Promise<unknown>
}

export interface EngineKind {
  /** The npm package with the version that the tests compare with. */
  readonly npmPackage: string
  readonly version: string
  readonly start: (input: EngineInput) => Promise<Engine>
  /** Returns whether the engine is the one that an exact flag agrees with. Absent where it always is. */
  readonly agrees?: (flag: FlagReport) => boolean
}

/**
 * Returns the user with lists of texts in place of single ones, for one user of a few. The attributes are
 * those that the other service compares element by element.
 */
export function withLists(user: EngineUser, attributes: ReadonlySet<string>): EngineUser {
  const isChosen = [...user.key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % LISTS_EVERY === 0
  if (!isChosen) return user
  const listed = Object.entries(user.attributes).map(([name, value]) =>
    typeof value === 'string' && value !== '' && attributes.has(name)
      ? [name, [`${value} beside`, value]]
      : [name, value],
  )
  return { key: user.key, attributes: Object.fromEntries(listed) }
}
const LISTS_EVERY = 5

/** Calls a function with each object anywhere in a file. */
export function visitObjects(content: unknown, visit: (object: JsonObject) => void): void {
  const stack: unknown[] = [content]
  while (stack.length > 0) {
    const value = stack.pop()
    if (isObject(value)) visit(value)
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) stack.push(inner)
  }
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
