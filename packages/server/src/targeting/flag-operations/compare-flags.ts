import type { FlagComparison } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import type { Actor } from '../../kernel/actor.ts'
import { diffJson } from '../../kernel/diff-json.ts'
import { readCursor } from '../../kernel/list-cursor.ts'
import { listLimit } from '../../kernel/paging.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, oneByOne, replyUpTo } from '../../platform/replies/reply-with-list.ts'
import { findRevision } from '../flags/index.ts'
import { createDecider, type Decide, type DeciderDeps } from './decide-behaviour.ts'
import { type FlagFields, type FlagPair, flagPairList } from './flag-pair-queries.ts'

export interface CompareInput {
  readonly scope: ProjectScope
  readonly source: string
  readonly target: string
  /** Decide too whether the flags behave the same. */
  readonly behaviour?: boolean
  readonly limit?: number
  readonly cursor?: string
}

type FlagDifference = FlagComparison['flags'][number]

const NAME = 'compare'

/**
 * Compares the flags of two environments of a project, read in one statement: every flag of either, by key
 * (docs/reference/flags.md). Refuses with `not_found` for an unknown environment and with `invalid` for one
 * of another project, and with `forbidden` when the role does not permit reading one of them.
 */
export async function compareFlags(
  deps: ListDeps & DeciderDeps,
  actor: Actor,
  { behaviour = false, cursor, limit, scope, ...ids }: CompareInput,
): Promise<EncodedReply> {
  const source = ids.source.toLowerCase()
  const target = ids.target.toLowerCase()
  const [after = null] = readCursor(NAME, ['text'], cursor) ?? []
  const found = { source: await findRevision(deps.db, source), target: await findRevision(deps.db, target) }
  requireBoth(scope.project_id, found)
  for (const id of [source, target]) {
    if (mayInEnvironment(actor, scope, 'read_project_flags', id)) continue
    throw lacksIn('read_project_flags', { project_id: scope.project_id, environment_id: id })
  }
  const decide = behaviour ? await createDecider(deps, source, target) : null
  return replyUpTo(deps, {
    name: NAME,
    query: flagPairList(source, target, after === null ? null : String(after)),
    limit: listLimit(limit),
    convert: oneByOne(async (item) => JSON.stringify(await withBehaviour(compare(JSON.parse(item)), decide))),
    wrap: { before: `${JSON.stringify({ source, target }).slice(0, -1)},"flags":`, after: '}' },
  })
}

type Found = Readonly<Record<'source' | 'target', { readonly project_id: string } | undefined>>

function requireBoth(project_id: string, { source, target }: Found): void {
  if (!source || !target) throw notFound('environment')
  const problems = Object.entries({ source, target })
    .filter(([, environment]) => environment.project_id !== project_id.toLowerCase())
    .map(([name]) => ({ path: `/${name}`, message: 'is in another project; name one of this project' }))
  if (problems.length > 0) throw invalid(problems)
}

function compare({ in_source, in_target, key, source, target }: FlagPair): FlagDifference {
  if (!in_target) return { key, status: 'only_in_source', changes: [] }
  if (!in_source) return { key, status: 'only_in_target', changes: [] }
  if (!source || !target) return { key, status: 'same', changes: [] }
  const bothArchived = source.archived_at !== null && target.archived_at !== null
  const changes = diffJson(fieldsOf(source), fieldsOf(target)).filter(
    // Being archived is a difference; the time of archiving is not.
    ({ path }) => !(bothArchived && path === '/archived_at'),
  )
  return {
    key,
    status: changes.length === 0 ? 'same' : 'different',
    changes: changes.map(({ after, before, path }) => ({ path, source: before, target: after })),
  }
}

async function withBehaviour(difference: FlagDifference, decide: Decide | null): Promise<FlagDifference> {
  return decide ? { ...difference, ...(await decide(difference.key)) } : difference
}

/** Returns the fields of one side, with those that are absent unless they are set. */
function fieldsOf({ extensions, ...fields }: FlagFields): Record<string, JsonValue> {
  // They were read as JSON.
  return { ...fields, ...(extensions as Readonly<Record<string, JsonValue>> | null) }
}
