import { Flag, FlagInput, FlagPatch } from '@burgee/contract'
import { type TSchema, Type } from 'typebox'
import { invalid } from '../../kernel/refusal.ts'
import type { FlagOperation } from './flag-operation.ts'

const EnvironmentName = Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() })
const FlagContent = Type.Omit(Flag, ['archived_at', 'revision'])
const tags = Type.Array(Type.String())

// The format of timestamps was validated on input.
const archived_at = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const times = { archived_at, expires_at: archived_at }

/** The stored fields of each operation. */
const STORED: Readonly<Record<FlagOperation['operation'], TSchema>> = {
  patch: Type.Object({ patch: Type.Object({ ...FlagPatch.properties, ...times }) }),
  replace: Type.Object({ flag: Type.Object({ ...FlagInput.properties, ...times }) }),
  promote: Type.Object({ flag: FlagContent, source: EnvironmentName }),
  restore: Type.Object({ flag: Flag }),
  archive: Type.Object({}),
  unarchive: Type.Object({}),
  add_tags: Type.Object({ tags }),
  remove_tags: Type.Object({ tags }),
  unschedule: Type.Object({ scheduled_change_id: Type.String() }),
  delete: Type.Object({}),
}

/**
 * Reads an operation that waited for approval or for its time, written by this or an earlier version of the
 * program. Refuses with `invalid` when it is not a valid one any more (decision 0007).
 */
export async function readStoredOperation(stored: unknown): Promise<FlagOperation> {
  // Loading this with the server would add some milliseconds to every start (decision 0005).
  const { Check } = await import('typebox/value')
  const name: unknown =
    typeof stored === 'object' && stored !== null && 'operation' in stored && stored.operation
  const schema = typeof name === 'string' && Object.hasOwn(STORED, name) ? schemaOf(name) : undefined
  if (!schema || !Check(schema, stored)) throw invalid([{ path: '', message: UNREADABLE }])
  // The schema of its kind was just checked; the compiler cannot relate the rows of the table.
  return stored as FlagOperation
}

const schemaOf = (name: string): TSchema | undefined => new Map(Object.entries(STORED)).get(name)

const UNREADABLE = 'the stored change cannot be read any more; request it again'
