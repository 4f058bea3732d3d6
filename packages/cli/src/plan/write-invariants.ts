import type { ApplyResult, EndpointBody, InvariantInput, Project } from '@burgee/contract'
import { deepEqual } from '@burgee/evaluation'
import { ApiError } from '../api/api-error.ts'
import type { CommandContext } from '../command-context.ts'
import { CommandError, usageError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { ApplyDocument, Placed } from '../files/apply-file.ts'
import { type Colors, printable } from '../output/output.ts'

/** An invariant of the files that is not in the project as it is written. */
interface InvariantChange {
  readonly project: string
  readonly key: string
  readonly action: 'create' | 'update'
}

interface PlannedInvariant extends InvariantChange {
  readonly project_id: string
  readonly wanted: Placed
}

type Stored = EndpointBody<'listInvariants'>[number]

/**
 * Returns the invariants of files that a project lacks or has otherwise. Those that the files do not list are
 * left as they are, and a field that is not written keeps its value.
 */
export async function planInvariants(
  context: CommandContext,
  documents: readonly ApplyDocument[],
): Promise<PlannedInvariant[]> {
  const planned: PlannedInvariant[] = []
  for (const [project, wanted] of await groupByProject(context, documents)) {
    const params = { project_id: project.id }
    const stored = new Map(
      (await context.api().call('listInvariants', { params })).map((one) => [one.key, one]),
    )
    for (const one of wanted) {
      const key = String(one.value.key)
      const before = stored.get(key)
      if (before && isSame(before, one.value)) continue
      const action = before ? 'update' : 'create'
      planned.push({ project: project.slug, project_id: project.id, key, action, wanted: one })
    }
  }
  return planned
}

async function groupByProject(
  context: CommandContext,
  documents: readonly ApplyDocument[],
): Promise<ReadonlyMap<Project, readonly Placed[]>> {
  const groups = new Map<Project, Placed[]>()
  const projects = new Map<string | undefined, Project>()
  for (const document of documents) {
    if (document.invariants.length === 0) continue
    const project = projects.get(document.project) ?? (await context.project(document))
    projects.set(document.project, project)
    groups.set(project, [...(groups.get(project) ?? []), ...document.invariants])
  }
  for (const invariants of groups.values()) requireUnique(invariants)
  return groups
}

/** Several documents of a project may repeat an invariant, not contradict each other. */
function requireUnique(invariants: readonly Placed[]): void {
  const seen = new Map<unknown, Placed>()
  for (const one of invariants) {
    const before = seen.get(one.value.key)
    if (before && !deepEqual(before.value, one.value))
      throw usageError(
        `${one.place}: the invariant ${String(one.value.key)} is written otherwise at ${before.place}.`,
      )
    seen.set(one.value.key, one)
  }
}

const isSame = (stored: Stored, wanted: Placed['value']): boolean =>
  Object.entries(wanted).every(([name, value]) =>
    deepEqual(stored[name as keyof Stored] ?? null, value ?? null),
  )

/** Writes planned invariants, after the flags that they are about. Throws with the place in the file. */
export async function writeInvariants(
  context: CommandContext,
  planned: readonly PlannedInvariant[],
): Promise<void> {
  for (const { action, key, project_id, wanted } of planned) {
    // The server validates the invariant, and names every problem.
    const body = wanted.value as unknown as InvariantInput
    const { key: _, ...patch } = body
    try {
      if (action === 'create') await context.api().call('createInvariant', { params: { project_id }, body })
      else await context.api().call('updateInvariant', { params: { project_id, key }, body: patch })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new CommandError(
        `${wanted.place}: invariant ${key}: ${error.message} Flags and segments are applied.`,
        EXIT.failed,
      )
    }
  }
}

/** Returns the result of a plan or an apply for programs: one, or a list for several environments. */
export function toOutput(
  results: readonly ApplyResult[],
  planned: readonly PlannedInvariant[],
): ApplyResult | readonly ApplyResult[] | object | undefined {
  const response = results.length === 1 ? results[0] : results
  if (planned.length === 0) return response
  const invariants = planned.map(({ action, key, project }): InvariantChange => ({ project, key, action }))
  return results.length === 1 ? { ...results[0], invariants } : { environments: results, invariants }
}

/** Returns the lines of a plan about invariants. */
export const describeInvariants = (planned: readonly PlannedInvariant[], colors: Colors): string =>
  planned
    .map(({ action, key, project }) => {
      const paint = action === 'create' ? colors.green : colors.yellow
      const sign = action === 'create' ? '+' : '~'
      return `${paint(`${sign} invariant ${printable(key)}`)} of ${printable(project)}: ${action}\n`
    })
    .join('')
