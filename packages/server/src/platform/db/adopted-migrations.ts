import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { packageFile } from '../package-file.ts'
import type { SchemaDescription } from './describe-schema.ts'

/** `migrations/adopted.json`: migrations of before, and the schema that they make. */
export interface AdoptedMigrations {
  /** The commit that has all migrations of before which this version can adopt. */
  readonly commit: string
  readonly names: {
    /** The migrations of that commit. */
    readonly before: readonly string[]
    /** The migrations that make the same schema. */
    readonly after: readonly string[]
    /** Migrations of later commits, under the names of then, with those of now. They may be absent. */
    readonly renamed: Readonly<Record<string, string>>
  }
  /** A hash for each part of each object of `describeSchema`, as the migrations of the commit make it. */
  readonly objects: HashedObjects
  /** The hashes that each later migration changes, in their order; null for parts that it drops. */
  readonly changes: Readonly<Record<string, HashedObjects>>
}

type HashedObjects = Readonly<Record<string, Readonly<Record<string, string | null>>>>

const HASH_LENGTH = 16

export async function readAdoptedMigrations(): Promise<AdoptedMigrations> {
  // The file is part of this version.
  return JSON.parse(await readFile(packageFile('migrations/adopted.json'), 'utf8')) as AdoptedMigrations
}

export const hashPart = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)

/** Tests whether the names have one of before. */
export function hasOldNames({ names }: AdoptedMigrations, present: readonly string[]): boolean {
  return present.some((name) => names.before.includes(name) || name in names.renamed)
}

/** Returns all names of before. */
export const listOldNames = ({ names }: AdoptedMigrations): string[] => [
  ...names.before,
  ...Object.keys(names.renamed),
]

/** Returns the names of now in place of those of before, all of which are given. */
export function renameMigrations({ names }: AdoptedMigrations, present: readonly string[]): string[] {
  const others = present.filter((name) => !names.before.includes(name))
  return [...names.after, ...others.map((name) => names.renamed[name] ?? name)]
}

/** Returns what is missing of the migrations that can be adopted, as words, or null. */
export function describeMissing(
  { commit, names }: AdoptedMigrations,
  present: readonly string[],
): string | null {
  const total = names.before.length
  const missing = names.before.filter((name) => !present.includes(name))
  const [first] = missing
  if (first === undefined) return null
  const which =
    missing.length === 1 ? `${first} is missing` : `${first} and ${missing.length - 1} more are missing`
  return `${total - missing.length} of the ${total} migrations of commit ${commit} (${which})`
}

/**
 * Returns the first difference between a schema and the one that the migrations of before make, as words, or
 * null. Objects and indexes that they do not make do not count.
 */
export function findDifference(
  { changes, objects }: AdoptedMigrations,
  present: readonly string[],
  actual: SchemaDescription,
): string | null {
  const expected = new Map(Object.entries(objects).map(([object, parts]) => [object, { ...parts }]))
  for (const [name, changed] of Object.entries(changes)) {
    if (!present.includes(name)) continue
    for (const [object, parts] of Object.entries(changed))
      expected.set(object, { ...expected.get(object), ...parts })
  }
  for (const [object, parts] of expected) {
    if (isDropped(parts)) continue
    const found = actual.get(object)
    if (found === undefined) return `${object} is missing`
    const difference = findPart(parts, found)
    if (difference !== null) return `${object} is not as its migrations make it${difference}`
  }
  return null
}

const isDropped = (parts: Readonly<Record<string, string | null>>): boolean =>
  Object.values(parts).every((hash) => hash === null)

function findPart(
  expected: Readonly<Record<string, string | null>>,
  found: ReadonlyMap<string, string>,
): string | null {
  for (const [part, hash] of Object.entries(expected)) {
    const text = found.get(part)
    if (hash === null) continue
    if (text === undefined) return ` (${part} is missing)`
    if (hashPart(text) !== hash) return part === '' ? '' : ` (${part} is different)`
  }
  const added = [...found.keys()].find((part) => !part.startsWith('index ') && !isExpected(expected, part))
  return added === undefined ? null : ` (${added} was added)`
}

const isExpected = (expected: Readonly<Record<string, string | null>>, part: string): boolean =>
  typeof expected[part] === 'string'
