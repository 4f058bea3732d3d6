import { usageError } from '../command-error.ts'
import type { ApplyDocument, Placed } from '../files/apply-file.ts'

interface Wanted {
  readonly project: string | undefined
  readonly environment: string | undefined
}

/** The documents of one environment, joined. */
export interface ChosenDocuments {
  /** The environment, `shop/staging`; empty where the files name none. */
  readonly name: string
  readonly segments: readonly Placed[]
  readonly flags: readonly Placed[]
}

/**
 * Returns what files have for one environment. Documents that name no project or environment count for every
 * one. Refuses when the files name several and none is chosen.
 */
export function chooseDocuments(documents: readonly ApplyDocument[], wanted: Wanted): ChosenDocuments {
  const project = chooseOne(documents, 'project', wanted.project)
  const ofProject = documents.filter((one) => (one.project ?? project) === project)
  const environment = chooseOne(ofProject, 'environment', wanted.environment)
  const chosen = ofProject.filter((one) => (one.environment ?? environment) === environment)
  return {
    name: [project, environment].filter((part) => part !== undefined).join('/'),
    segments: chosen.flatMap(({ segments }) => segments),
    flags: chosen.flatMap(({ flags }) => flags),
  }
}

const OPTIONS = { project: '--project', environment: '--env' } as const

function chooseOne(
  documents: readonly ApplyDocument[],
  field: keyof typeof OPTIONS,
  wanted: string | undefined,
): string | undefined {
  const named = [...new Set(documents.flatMap((document) => document[field] ?? []))]
  const list = named.join(', ')
  if (wanted === undefined) {
    if (named.length <= 1) return named[0]
    throw usageError(`The files have several: ${list}. Choose the ${field} with ${OPTIONS[field]}.`)
  }
  if (named.length > 0 && !named.includes(wanted) && documents.every((document) => document[field]))
    throw usageError(`The files have no ${field} ${wanted}. They have ${list}.`)
  return wanted
}
