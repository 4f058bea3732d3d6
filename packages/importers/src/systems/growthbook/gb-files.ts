import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../../reading.ts'
import type { SourceFile } from '../../system.ts'
import { definitionOf } from './gb-rest.ts'

export interface GbFeature {
  readonly key: string
  /** As SDKs receive it. */
  readonly feature: JsonObject
  /** The fields that only the REST API has: description, tags, owner. */
  readonly facts: JsonObject
  readonly isEnabled: boolean
}

export interface GbFiles {
  readonly environments: ReadonlyMap<string, readonly GbFeature[]>
  /** Lists of values by id. */
  readonly savedGroups: JsonObject
}

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

export function collectFeatures(files: readonly SourceFile[], wanted: string | undefined): GbFiles {
  const environments = new Map<string, GbFeature[]>()
  const savedGroups: Record<string, unknown> = {}
  const add = (environment: string, feature: GbFeature) =>
    environments.set(environment, [...(environments.get(environment) ?? []), feature])
  for (const { data } of files) {
    const content = objectOf(data)
    Object.assign(savedGroups, groupsOf(content.savedGroups))
    if (Array.isArray(content.features))
      for (const feature of objectsOf(content.features)) ofRest(feature, wanted, add)
    else
      for (const [key, feature] of Object.entries(objectOf(content.features)))
        if (isObject(feature)) add(wanted ?? UNNAMED, { key, feature, facts: {}, isEnabled: true })
  }
  return { environments, savedGroups }
}

/** SDKs receive an object, the REST API answers with a list. */
function groupsOf(groups: unknown): JsonObject {
  if (!Array.isArray(groups)) return objectOf(groups)
  return Object.fromEntries(objectsOf(groups).map(({ id, values }) => [String(id), values]))
}

type Add = (environment: string, feature: GbFeature) => void

function ofRest(facts: JsonObject, wanted: string | undefined, add: Add): void {
  const key = textOf(facts.id)
  if (key === null) return
  for (const [environment, state] of Object.entries(objectOf(facts.environments))) {
    if (!isObject(state) || (wanted !== undefined && environment !== wanted)) continue
    const feature = definitionOf(facts, state)
    add(environment, { key, feature, facts, isEnabled: state.enabled === true })
  }
}
