import type { ApplyInput, Environment, Project } from '@burgee/contract'
import type { CommandContext } from '../command-context.ts'
import type { ApplyDocument, Placed } from '../files/apply-file.ts'

/** The content of one request: flags and segments of one environment. */
export interface ApplyTarget {
  readonly project: Project
  readonly environment: Environment
  readonly name: string | undefined
  readonly segments: readonly Placed[]
  readonly flags: readonly Placed[]
}

/** Joins the documents of the same environment and name: each environment is written as a whole. */
export async function groupDocuments(
  context: CommandContext,
  documents: readonly ApplyDocument[],
): Promise<ApplyTarget[]> {
  const targets = new Map<string, ApplyTarget>()
  for (const document of documents) {
    const isOfInvariants = document.invariants.length > 0 && document.environment === undefined
    if (isOfInvariants && document.flags.length + document.segments.length === 0) continue
    const { project, environment } = await context.place(document)
    const id = JSON.stringify([environment.id, document.name])
    const known = targets.get(id)
    targets.set(id, {
      project,
      environment,
      name: document.name,
      segments: [...(known?.segments ?? []), ...document.segments],
      flags: [...(known?.flags ?? []), ...document.flags],
    })
  }
  return [...targets.values()]
}

/** Returns the body of the request for a target, without its switches. */
export function applyBody({ name, segments, flags }: ApplyTarget): ApplyInput {
  const body = {
    ...(name !== undefined && { name }),
    segments: segments.map(({ value }) => value),
    flags: flags.map(({ value }) => value),
  }
  // The server validates what is in flags and segments, and names every problem.
  return body as unknown as ApplyInput
}

/** Returns the place in the files for a JSON pointer into the body, or null. */
export function placeOf(target: ApplyTarget, pointer: string): string | null {
  const [, list, index] = /^\/(flags|segments)\/(\d+)/.exec(pointer) ?? []
  if (list !== 'flags' && list !== 'segments') return null
  return target[list][Number(index)]?.place ?? null
}
