import type { Flaw } from '../../gap.ts'
import { isObject, type JsonObject, listOf, objectOf, objectsOf, textForm, textOf } from '../../reading.ts'
import { recognizeFiles } from '../../recognition/recognize-files.ts'
import { isEmptyList } from '../../recognition/shape.ts'
import { MALFORMED } from '../../skipped-flag.ts'
import type { SourceFile } from '../../system.ts'
import { definitionOf } from './gb-rest.ts'

export interface GbFeature {
  readonly key: string
  /** As SDKs receive it. */
  readonly feature: JsonObject
  /** The fields that only the REST API has: description, tags, owner. */
  readonly facts: JsonObject
  readonly isEnabled: boolean
  /** The reason why it cannot be read. */
  readonly problem?: Flaw
}

export interface GbFiles {
  readonly environments: ReadonlyMap<string, readonly GbFeature[]>
  /** Lists of values, or groups with a kind, by id. */
  readonly savedGroups: ReadonlyMap<string, unknown>
  /** True where features may name groups that the files lack: responses of the REST API have them apart. */
  readonly lackGroups: boolean
}

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

export function collectFeatures(files: readonly SourceFile[], wanted: string | undefined): GbFiles {
  const environments = new Map<string, GbFeature[]>()
  const savedGroups = new Map<string, unknown>()
  const add = (environment: string, feature: GbFeature) => {
    const features = environments.get(environment)
    if (features) features.push(feature)
    else environments.set(environment, [feature])
  }
  const named = wanted ?? UNNAMED
  let lackGroups = false
  for (const { data, kind } of recognizeFiles('growthbook', files)) {
    const content = kind === 'map' ? { features: data } : objectOf(data)
    for (const [id, values] of groupsOf(content.savedGroups)) savedGroups.set(id, values)
    if (kind === 'rest') {
      lackGroups = true
      for (const [index, feature] of restOf(content).entries()) ofRest(feature, index, { wanted, add })
      if (isEmptyList(content.features)) environments.set(named, environments.get(named) ?? [])
    } else if (content.features !== undefined) {
      if (!environments.has(named)) environments.set(named, [])
      for (const [key, feature] of Object.entries(objectOf(content.features)))
        add(named, {
          ...{ key, facts: {}, isEnabled: true, feature: objectOf(feature) },
          ...(!isObject(feature) && { problem: MALFORMED }),
        })
    }
  }
  return { environments, savedGroups, lackGroups }
}

/** A list of features, or the response for one. */
const restOf = ({ feature, features }: JsonObject): readonly unknown[] =>
  features === undefined ? [feature] : listOf(features)

/** SDKs receive an object, the REST API responds with a list. */
const groupsOf = (groups: unknown): readonly (readonly [string, unknown])[] =>
  Array.isArray(groups)
    ? objectsOf(groups).map(({ type = 'list', ...group }) => [textForm(group.id), { ...group, type }])
    : Object.entries(objectOf(groups))

interface RestContext {
  readonly wanted: string | undefined
  readonly add: (environment: string, feature: GbFeature) => void
}

function ofRest(item: unknown, index: number, { add, wanted }: RestContext): void {
  const facts = objectOf(item)
  const key = textOf(facts.id)
  const named = { key: key ?? `features/${index}`, facts }
  const states = Object.entries(objectOf(facts.environments)).filter(
    (entry): entry is [string, JsonObject] =>
      isObject(entry[1]) && (wanted === undefined || entry[0] === wanted),
  )
  if (key === null || states.length === 0)
    add(wanted ?? UNNAMED, { ...named, feature: {}, isEnabled: false, problem: NO_STATE })
  for (const [environment, state] of states) {
    const definition = definitionOf(facts, environment)
    const isKnown = definition !== null && typeof state.enabled === 'boolean'
    add(environment, {
      ...{ ...named, feature: definition ?? {}, isEnabled: state.enabled === true },
      ...((!isKnown || key === null) && { problem: NO_STATE }),
    })
  }
}

const NO_STATE: Flaw = {
  code: 'state_missing',
  message: 'The file has no name, no rules or no state of it. Give the response of /api/v1/features.',
}
