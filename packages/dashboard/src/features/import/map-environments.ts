import type { Environment } from '@burgee/contract'
import { isProduction } from '../../shared/scope/is-production.ts'

/** The environment of the project for each environment of the files; absent where it is not imported. */
export type Mapping = ReadonlyMap<string, string>

type Named = Pick<Environment, 'id' | 'name' | 'slug'>

/** Names that mean the same kind of environment. */
const KINDS: readonly RegExp[] = [
  /^(prod|production|live)\b/,
  /^(stag|staging|stage|preprod|pre-production|uat)\b/,
  /^(dev|develop|development)\b/,
  /^(test|testing|qa)\b/,
]

/**
 * Suggests an environment of the project for each of the files, by name. The only environment of the files is
 * never suggested for Production, because some files do not name theirs.
 */
export function suggestMapping(sources: readonly string[], targets: readonly Named[]): Mapping {
  const mapping = new Map<string, string>()
  const taken = new Set<string>()
  const isOnly = sources.length === 1
  for (const matches of [isSameName, isSameKind]) {
    for (const source of sources) {
      if (mapping.has(source)) continue
      const target = targets.find((one) => !taken.has(one.id) && matches(source, one))
      if (!target || (isOnly && isProduction(target))) continue
      mapping.set(source, target.id)
      taken.add(target.id)
    }
  }
  return mapping
}

const isSameName = (source: string, { name, slug }: Named): boolean =>
  source.toLowerCase() === slug || source.toLowerCase() === name.toLowerCase()

function isSameKind(source: string, { slug }: Named): boolean {
  const kind = KINDS.findIndex((pattern) => pattern.test(source.toLowerCase()))
  return kind >= 0 && KINDS[kind]?.test(slug) === true
}

/** Returns why the flags cannot be imported this way, or null. */
export function findMappingProblem(mapping: Mapping, targets: readonly Named[]): string | null {
  const ids = [...mapping.values()]
  if (ids.length === 0) return 'Choose at least one environment to import into.'
  const twice = targets.find(({ id }) => ids.filter((other) => other === id).length > 1)
  return twice ? `Only one environment of the files can be imported into ${twice.name}.` : null
}

/** Returns why files with two environments of one name are not imported together, or null. */
export function findRepeatedName(sources: readonly string[]): string | null {
  const repeated = sources.find((name, index) => sources.indexOf(name) !== index)
  return repeated === undefined
    ? null
    : `Two environments of these files are called “${repeated}”. Import them one after the other.`
}
