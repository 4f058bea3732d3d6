import { type FlagInput, findUnsafeNumber } from '@burgee/contract'
import { listOf } from './reading.ts'
import type { FlagNotes } from './report.ts'
import type { SourceFile } from './system.ts'

/** Returns the numbers of files that are not the ones that were written, as texts. */
export function collectUnsafeNumbers(files: readonly SourceFile[]): ReadonlySet<string> {
  const texts = new Set<string>()
  const stack: unknown[] = files.map(({ data }) => data)
  while (stack.length > 0) {
    const value = stack.pop()
    if (isUnsafe(value)) texts.add(String(value))
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) stack.push(inner)
  }
  return texts
}

const isUnsafe = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

/** Lowers a flag that serves or compares a number beyond 2^53: JavaScript reads it as another one. */
export function noteUnsafeNumbers(flag: FlagInput, unsafe: ReadonlySet<string>, notes: FlagNotes): void {
  const found = findUnsafeNumber(valuesOf(flag)) ?? (unsafe.size > 0 ? findCompared(flag, unsafe) : null)
  if (found === null) return
  notes.lower('approximated', {
    ...{ code: 'unsafe_number', path: '' },
    message: `A number beyond 2^53 became ${found.value}: in programs of JavaScript it equals its neighbors. Write it as a text.`,
  })
}

const valuesOf = ({ default_value, disabled_value, rules, variants }: FlagInput) => [
  default_value ?? null,
  disabled_value ?? null,
  ...(variants ?? []).map(({ value }) => value),
  ...(rules ?? []).flatMap((rule) => [
    rule.variant ?? null,
    ...(rule.variants ?? []).map(({ value }) => value),
  ]),
]

/** Returns a text of a condition that is such a number in the files. */
function findCompared({ rules }: FlagInput, unsafe: ReadonlySet<string>): { readonly value: string } | null {
  for (const rule of rules ?? [])
    for (const condition of [rule, ...(rule.conditions ?? [])])
      for (const value of 'values' in condition ? listOf(condition.values) : [])
        if (typeof value === 'string' && unsafe.has(value)) return { value }
  return null
}
