import { APPLY_FILE_FIELDS, APPLY_FILE_VERSION, isObject } from '@burgee/contract'
import { findMistyped } from './find-mistyped.ts'

/** A thing of a file with its place there, `flags.yaml:12`. */
export interface Placed {
  readonly value: Readonly<Record<string, unknown>>
  readonly place: string
}

/** One document of a file: flags and segments of one environment. */
export interface ApplyDocument {
  /** The place of the document, `flags.yaml:1`. */
  readonly place: string
  readonly name: string | undefined
  readonly project: string | undefined
  readonly environment: string | undefined
  readonly segments: readonly Placed[]
  readonly flags: readonly Placed[]
  /** The demands on the flags of the project. */
  readonly invariants: readonly Placed[]
}

/** A parsed document, with the places of what is in it. */
export interface ParsedDocument {
  readonly value: unknown
  /** Returns the place of a path inside the document. */
  place(path: readonly (string | number)[]): string
}

/**
 * Checks the frame of a document and the names of all fields. The values inside flags and segments are
 * checked by the server.
 */
export function checkDocument({ value, place }: ParsedDocument): ApplyDocument | readonly string[] {
  if (!isObject(value)) return [`${place([])}: must be an object with apiVersion: ${APPLY_FILE_VERSION}`]
  const problems = [
    ...Object.keys(value)
      .filter((name) => !APPLY_FILE_FIELDS.includes(name))
      .map(
        (name) =>
          `${place([name])}: there is no field ${name}; there are ${APPLY_FILE_FIELDS.slice(1).join(', ')}`,
      ),
    ...(value.apiVersion === APPLY_FILE_VERSION
      ? []
      : [`${place(['apiVersion'])}: apiVersion must be ${APPLY_FILE_VERSION}`]),
    ...['name', 'project', 'environment']
      .filter((name) => value[name] !== undefined && (typeof value[name] !== 'string' || value[name] === ''))
      .map((name) => `${place([name])}: ${name} must be a text`),
  ]
  const list = (name: 'segments' | 'flags' | 'invariants'): Placed[] => {
    const items = value[name] ?? []
    if (!Array.isArray(items)) {
      problems.push(`${place([name])}: ${name} must be a list`)
      return []
    }
    return items.flatMap((item, index) => {
      if (isObject(item)) {
        for (const { message, path } of findMistyped(name, item))
          problems.push(`${place([name, index, ...path])}: ${message}`)
        return [{ value: item, place: place([name, index]) }]
      }
      problems.push(`${place([name, index])}: must be an object with a key`)
      return []
    })
  }
  const lists = { segments: list('segments'), flags: list('flags'), invariants: list('invariants') }
  if (problems.length > 0) return problems
  const text = (name: string) => value[name] as string | undefined
  return {
    place: place([]),
    name: text('name'),
    project: text('project'),
    environment: text('environment'),
    ...lists,
  }
}
