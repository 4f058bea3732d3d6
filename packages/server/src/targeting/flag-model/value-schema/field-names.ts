import type { Spend } from '../../../kernel/check-budget.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** The names that one step lists. */
const NAMES_PER_STEP = 2
/** Fewer names are listed as quickly as they are looked up. */
const KEPT_MIN = 8

/** The names of the fields of objects, which a check lists and sorts once where they are many. */
export class FieldNames {
  readonly #listed = new Map<object, readonly string[]>()
  readonly #sorted = new Map<object, readonly string[]>()
  readonly #spend: Spend

  constructor(spend: Spend) {
    this.#spend = spend
  }

  of(value: object): readonly string[] {
    this.#spend(1)
    const known = this.#listed.get(value)
    if (known) return known
    const names = Object.keys(value)
    this.#spend(names.length / NAMES_PER_STEP)
    if (names.length >= KEPT_MIN) this.#listed.set(value, names)
    return names
  }

  /** In an order that equal objects share. */
  sortedOf(value: object): readonly string[] {
    this.#spend(1)
    const known = this.#sorted.get(value)
    if (known) return known
    const names = this.of(value)
    this.#spend(names.length * Math.log2(names.length + 1))
    const sorted = [...names].sort()
    if (names.length >= KEPT_MIN) this.#sorted.set(value, sorted)
    return sorted
  }
}
