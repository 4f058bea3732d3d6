import { type Spend, TooManySteps } from '../../../kernel/check-budget.ts'
import { escapePointer } from '../../../kernel/hygiene.ts'
import { EvaluatedParts } from './evaluated-parts.ts'
import { FieldNames, type JsonObject } from './field-names.ts'
import type { Keywords, ReadSchema } from './read-schema.ts'

/** Decides whether a value fits a keyword. Adds the parts that the keyword evaluates, where they matter. */
export type Rule<V> = (run: CheckRun, value: V, parts: EvaluatedParts | null) => boolean

/** The rules of the keywords of one schema, by the values that they are about, in their order. */
export interface SchemaRules {
  /** About every value, and quick. */
  readonly first: readonly Rule<unknown>[]
  readonly text: readonly Rule<string>[]
  readonly number: readonly Rule<number>[]
  readonly list: readonly Rule<readonly unknown[]>[]
  readonly object: readonly Rule<JsonObject>[]
  /** About every value, with schemas of their own. */
  readonly combined: readonly Rule<unknown>[]
  /** About what all others leave. */
  readonly lastOfList: readonly Rule<readonly unknown[]>[]
  readonly lastOfObject: readonly Rule<JsonObject>[]
}

/** The place of a value that does not fit, as a JSON pointer, and the reason. */
export interface Misfit {
  readonly path: string
  readonly message: string
}

/**
 * The schemas inside each other that are checked at one time. Values have 32 levels, so that only references
 * without an end reach it; it is far below what exhausts the stack.
 */
const DEPTH_MAX = 400

/**
 * A check of values by one schema, which counts all that it reads of both: each keyword, item, field and name
 * is at least one step, and a long text several.
 */
export class CheckRun {
  readonly spend: Spend
  readonly names: FieldNames
  /** The lists that were searched for equal items, and whether there are none. */
  readonly unique = new Map<object, boolean>()
  readonly #rulesOf: (schema: Keywords, run: CheckRun) => SchemaRules
  readonly #known = new Map<Keywords, SchemaRules>()
  readonly #path: (number | string)[] = []
  #misfit: Misfit | null = null
  #depth = 0
  /** The branches around the present schema whose failure is no misfit of the value. */
  #branches = 0

  constructor(spend: Spend, rulesOf: (schema: Keywords, run: CheckRun) => SchemaRules) {
    this.spend = spend
    this.names = new FieldNames(spend)
    this.#rulesOf = rulesOf
  }

  /** Returns the first place of a value that does not fit; null when it fits. */
  findMisfit(schema: ReadSchema, value: unknown): Misfit | null {
    this.#misfit = null
    this.#path.length = 0
    if (this.fits(schema, value, null)) return null
    return this.#misfit ?? { path: '', message: 'must fit the schema' }
  }

  fits(schema: ReadSchema, value: unknown, parts: EvaluatedParts | null): boolean {
    this.spend(1)
    if (typeof schema === 'boolean') return schema || this.fail('must not be there: its schema is false')
    if (this.#depth === DEPTH_MAX) throw new TooManySteps(false)
    this.#depth += 1
    const isFit = this.#fitsRules(this.#knownRules(schema), value, parts)
    this.#depth -= 1
    return isFit
  }

  /** The same for an item or a field of the present value. */
  fitsAt(step: number | string, schema: ReadSchema, value: unknown): boolean {
    this.#path.push(step)
    const isFit = this.fits(schema, value, null)
    this.#path.pop()
    return isFit
  }

  /** The same for a branch, whose failure is no misfit of the value. */
  fitsBranch(schema: ReadSchema, value: unknown, parts: EvaluatedParts | null): boolean {
    this.#branches += 1
    const isFit = this.fits(schema, value, parts)
    this.#branches -= 1
    return isFit
  }

  /** Records the misfit at the present place, where it is the first. Returns false. */
  fail(message: string): false {
    if (this.#branches === 0 && this.#misfit === null) {
      const steps = this.#path.map((step) => `/${escapePointer(String(step))}`)
      this.#misfit = { path: steps.join(''), message }
    }
    return false
  }

  #knownRules(schema: Keywords): SchemaRules {
    const known = this.#known.get(schema)
    if (known) return known
    const rules = this.#rulesOf(schema, this)
    this.#known.set(schema, rules)
    return rules
  }

  #fitsRules(rules: SchemaRules, value: unknown, parts: EvaluatedParts | null): boolean {
    const hasLast = rules.lastOfList.length > 0 || rules.lastOfObject.length > 0
    const own = hasLast ? new EvaluatedParts() : parts
    const isFit =
      this.#all(rules.first, value, own) &&
      this.#fitsKind(rules, value, own) &&
      this.#all(rules.combined, value, own) &&
      this.#fitsLast(rules, value, own)
    if (isFit && parts && own && own !== parts) parts.merge(own, this.spend)
    return isFit
  }

  #fitsKind(rules: SchemaRules, value: unknown, parts: EvaluatedParts | null): boolean {
    if (typeof value === 'string') return this.#all(rules.text, value, parts)
    if (typeof value === 'number') return this.#all(rules.number, value, parts)
    if (Array.isArray(value)) return this.#all(rules.list, value, parts)
    return !isFields(value) || this.#all(rules.object, value, parts)
  }

  #fitsLast(rules: SchemaRules, value: unknown, parts: EvaluatedParts | null): boolean {
    if (Array.isArray(value)) return this.#all(rules.lastOfList, value, parts)
    return !isFields(value) || this.#all(rules.lastOfObject, value, parts)
  }

  #all<V>(rules: readonly Rule<V>[], value: V, parts: EvaluatedParts | null): boolean {
    for (const rule of rules) {
      this.spend(1)
      if (!rule(this, value, parts)) return false
    }
    return true
  }
}

/** A JSON value that is no list. */
const isFields = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null
