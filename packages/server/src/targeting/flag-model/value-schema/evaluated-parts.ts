import type { Spend } from '../../../kernel/check-budget.ts'

/**
 * The items or fields of one value that schemas have evaluated, for `unevaluatedItems` and
 * `unevaluatedProperties` (https://json-schema.org/draft/2020-12/json-schema-core#section-11).
 */
export class EvaluatedParts {
  #all = false
  /** All items before this index. */
  #before = 0
  readonly #single = new Set<number | string>()

  has(part: number | string): boolean {
    return this.#all || (typeof part === 'number' && part < this.#before) || this.#single.has(part)
  }

  add(part: number | string): void {
    if (!this.has(part)) this.#single.add(part)
  }

  addAll(): void {
    this.#all = true
  }

  addBefore(index: number): void {
    this.#before = Math.max(this.#before, index)
  }

  /** Adds the parts that another schema has evaluated. */
  merge(other: EvaluatedParts, spend: Spend): void {
    spend(1)
    if (this.#all) return
    if (other.#all) this.#all = true
    this.addBefore(other.#before)
    spend(other.#single.size)
    for (const part of other.#single) this.#single.add(part)
  }
}
