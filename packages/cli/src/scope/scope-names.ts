import { type CommandError, usageError } from '../command-error.ts'

type Kind = 'project' | 'environment'

/** A name of a project or an environment, with what gives it: `--env`, `BURGEE_ENV` or a place in a file. */
interface Named {
  readonly name: string
  readonly source: string
}

/** The project and the environment that a command line names, as far as it does. */
export type ScopeNames = Readonly<Record<Kind, Named | undefined>>

/** The project and the environment that a document of a file names, as far as it does. */
export interface DocumentNames extends Readonly<Record<Kind, string | undefined>> {
  /** The place of the document, `flags.yaml:1`. */
  readonly place: string
}

const SOURCES = {
  project: { option: 'project', variable: 'BURGEE_PROJECT' },
  environment: { option: 'env', variable: 'BURGEE_ENV' },
} as const

/** Returns the names of a command line: an option comes before its variable. */
export function readScopeNames(
  options: { readonly project?: string; readonly env?: string },
  env: NodeJS.ProcessEnv,
): ScopeNames {
  const read = (kind: Kind): Named | undefined => {
    const { option, variable } = SOURCES[kind]
    const given = options[option]
    if (given !== undefined) return { name: given, source: `--${option}` }
    const name = env[variable]
    return name === undefined ? undefined : { name, source: variable }
  }
  return { project: read('project'), environment: read('environment') }
}

/**
 * Returns the name that a document and the command line agree on. Where both give one and these differ it is
 * refused: neither of the two may silently decide what is changed.
 */
export function agreedName(
  kind: Kind,
  document: DocumentNames | undefined,
  names: ScopeNames,
): string | undefined {
  const inFile = document?.[kind]
  const given = names[kind]
  if (document && inFile !== undefined && given && given.name !== inFile)
    throw contradiction(kind, document, given)
  return inFile ?? given?.name
}

/** Refuses a thing that the document names and the command line does not, neither by slug nor by id. */
export function requireAgreement(
  kind: Kind,
  found: { readonly id: string; readonly slug: string },
  document: DocumentNames | undefined,
  names: ScopeNames,
): void {
  const given = names[kind]
  if (document?.[kind] !== undefined && given && found.slug !== given.name && found.id !== given.name)
    throw contradiction(kind, document, given)
}

function contradiction(kind: Kind, document: DocumentNames, { name, source }: Named): CommandError {
  return usageError(
    `${document.place} is for the ${kind} ${document[kind]}, and ${source} names ${name}. Change one of the two.`,
  )
}
