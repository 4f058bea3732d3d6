import type { FlagInput, SegmentInput } from '@burgee/contract'
import type { ImportedEnvironment } from './finish-environment.ts'
import type { ImportResult } from './import-files.ts'
import type { Note } from './report.ts'

/**
 * Returns an import with only what changed since an earlier one: a field that both have alike is left out, so
 * that an apply does not touch it. What the later files no longer have is a note, and stays.
 */
export function changesSince(earlier: ImportResult, later: ImportResult): ImportResult {
  const before = new Map(earlier.environments.map((one) => [one.environment, one]))
  const notes: Note[] = []
  const environments = later.environments.map((environment) => {
    const old = before.get(environment.environment)
    if (!old) return environment
    notes.push(...goneFrom(old, environment))
    return {
      environment: environment.environment,
      // A field that the later files leave out gets its default by null, as a patch has it.
      segments: changed(old.segments, environment.segments) as SegmentInput[],
      flags: changed(old.flags, environment.flags) as FlagInput[],
    }
  })
  return {
    ...later,
    environments,
    report: { ...later.report, notes: [...later.report.notes, ...notes] },
  }
}

/**
 * Returns an import without the flags that depend on the time at which it is read: what they were then cannot
 * be known, so they are neither compared nor taken for edited.
 */
export function withoutTimed(result: ImportResult): ImportResult {
  const timed = new Set(
    result.report.flags
      .filter(({ notes }) => notes.some(({ code }) => code === 'clock'))
      .map(({ environment, key }) => `${environment} ${key}`),
  )
  const environments = result.environments.map((one) => ({
    ...one,
    flags: one.flags.filter(({ key }) => !timed.has(`${one.environment} ${key}`)),
  }))
  return { ...result, environments }
}

interface Keyed {
  readonly key: string
}

function changed<Item extends Keyed>(before: readonly Item[], after: readonly Item[]): object[] {
  const known = new Map(before.map((item) => [item.key, item]))
  return after.flatMap((item) => {
    const old = known.get(item.key)
    if (!old) return [item]
    const fields = changedFields(old, item)
    return Object.keys(fields).length === 0 ? [] : [{ key: item.key, ...fields }]
  })
}

function changedFields(before: object, after: object): Readonly<Record<string, unknown>> {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return Object.fromEntries(
    [...new Set([...old.keys(), ...next.keys()])].flatMap((name) => {
      const value: unknown = next.get(name) ?? null
      return JSON.stringify(old.get(name) ?? null) === JSON.stringify(value) ? [] : [[name, value]]
    }),
  )
}

function goneFrom(before: ImportedEnvironment, after: ImportedEnvironment): readonly Note[] {
  const kept = new Set(after.flags.map(({ key }) => key))
  return before.flags
    .filter(({ key }) => !kept.has(key))
    .map(({ key }) => ({
      code: 'gone_there',
      path: '',
      message: `${key} is no longer among the flags of ${after.environment} that can be written. It stays here as it is: archive it where that is right.`,
    }))
}
