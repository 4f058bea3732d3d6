import { EXCEEDED_BOUNDS_MAX, type ExceededBound, isPlain, PLAIN_TEXT_REFUSAL } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { toExceededBound } from './exceeded-bound.ts'
import type { BeforeStep } from './find-exceeded-flags.ts'
import { listNames, type NameSource, NO_ROW, PROJECT_NAMES, WORKSPACE_NAMES } from './name-queries.ts'

/**
 * Finds names and addresses with characters that they may not have. The text itself is left out: it may look
 * like another one.
 *
 * @param project_id Null for the names of the workspace.
 */
export async function findExceededNames(
  db: Kysely<Database>,
  project_id: string | null,
  beforeStep: BeforeStep,
): Promise<readonly ExceededBound[]> {
  const found = new Map<string, ExceededBound>()
  for (const source of project_id === null ? WORKSPACE_NAMES : PROJECT_NAMES) {
    for (let after: Parameters<typeof listNames>[2] = NO_ROW; ; ) {
      await beforeStep()
      const rows = await listNames(db, source.rows(project_id ?? ''), after)
      for (const { environment_id, key, text } of rows) {
        if (isPlain(source.format, text)) continue
        const { resource } = source
        const one = toExceededBound({
          ...{ kind: 'name', project_id, environment_id, resource, key },
          message: describe(source),
        })
        // A webhook may have both, and is listed once.
        if (!found.has(one.id)) found.set(one.id, one)
        if (found.size >= EXCEEDED_BOUNDS_MAX) return [...found.values()]
      }
      const last = rows.at(-1)
      if (!last) break
      after = last
    }
  }
  return [...found.values()]
}

const WORDS: Readonly<Record<NameSource['format'], string>> = {
  'plain-name': 'The name',
  'plain-email': 'The e-mail address',
  'plain-url': 'The address',
}

const describe = ({ format, resource }: NameSource): string =>
  `${WORDS[format]} ${PLAIN_TEXT_REFUSAL}. ${CREATED_AGAIN.includes(resource) ? 'Replace it by another one with a good name.' : 'Change it.'}`

/** Things whose name cannot be changed. */
const CREATED_AGAIN: readonly NameSource['resource'][] = ['sdk_key', 'access_token']
