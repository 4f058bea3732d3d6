import type { Flaw } from '../../gap.ts'
import {
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textForm,
  textOf,
} from '../../reading.ts'
import { type RecognizedFile, recognizeFiles } from '../../recognition/recognize-files.ts'
import { noFlags, type SourceFile, UnreadableFile } from '../../system.ts'

/** A feature in one environment, in the form that SDKs receive. */
export interface UnleashFeature {
  readonly name: string
  readonly facts: JsonObject
  readonly isEnabled: boolean
  readonly strategies: readonly JsonObject[]
  readonly variants: readonly JsonObject[]
  readonly dependencies: readonly JsonObject[]
  readonly tags: readonly string[]
  /** The reason why its state cannot be read. */
  readonly problem?: Flaw
}

interface UnleashEnvironment {
  readonly environment: string
  readonly features: readonly UnleashFeature[]
}

export interface UnleashFiles {
  readonly environments: readonly UnleashEnvironment[]
  /** Segments by id, with their constraints. */
  readonly segments: ReadonlyMap<number, JsonObject>
}

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

export function collectUnleash(files: readonly SourceFile[], wanted: string | undefined): UnleashFiles {
  const recognized = recognizeFiles('unleash', files)
  const environments = recognized.flatMap((file) => readContent(file, wanted))
  if (environments.length === 0) throw noFlags('unleash')
  const contents = recognized.map(({ data }) => (Array.isArray(data) ? { segments: data } : objectOf(data)))
  return { environments, segments: collectSegments(contents) }
}

/** Segments that have only an id and a name, as in an export, are not enough. */
function collectSegments(contents: readonly JsonObject[]): ReadonlyMap<number, JsonObject> {
  const segments = new Map<number, JsonObject>()
  for (const segment of contents.flatMap((content) => objectsOf(content.segments))) {
    const id = numberOf(segment.id)
    if (id !== null && Array.isArray(segment.constraints))
      segments.set(id, { ...segments.get(id), ...segment })
  }
  return segments
}

function readContent(
  { data, kind }: RecognizedFile,
  wanted: string | undefined,
): readonly UnleashEnvironment[] {
  const content = objectOf(data)
  if (kind === 'client') return [{ environment: wanted ?? UNNAMED, features: ofClient(content) }]
  if (kind !== 'export') return []
  const states = objectsOf(content.featureEnvironments)
  const named = [...new Set(states.map(({ environment }) => textOf(environment) ?? UNNAMED))]
  const names = named.length > 0 ? named : [UNNAMED]
  const chosen = names.filter((name) => names.length === 1 || wanted === undefined || name === wanted)
  return chosen.map((name) => ({
    environment: names.length === 1 ? (wanted ?? name) : name,
    features: ofExport(content, name),
  }))
}

/** Reads what SDKs receive, and the oldest state export: a feature has its strategies. */
const ofClient = (content: JsonObject): readonly UnleashFeature[] =>
  listOf(content.features).map((item, index) => {
    const feature = objectOf(item)
    const name = textOf(feature.name)
    return {
      ...{ name: name ?? unnamed(index), facts: feature, tags: [] },
      isEnabled: feature.enabled === true,
      strategies: objectsOf(feature.strategies),
      variants: objectsOf(feature.variants),
      dependencies: objectsOf(feature.dependencies),
      ...(name === null && { problem: NO_NAME }),
      ...(name !== null && !Array.isArray(feature.strategies) && { problem: NO_STRATEGIES }),
      ...(name !== null && !listOf(feature.strategies).every(isObject) && { problem: NO_OBJECT }),
      ...(name !== null && typeof feature.enabled !== 'boolean' && { problem: NO_STATE }),
    }
  })

const unnamed = (index: number) => `features/${index}`
const NO_NAME: Flaw = { code: 'malformed', message: 'It has no name.' }
const NO_OBJECT: Flaw = {
  code: 'malformed',
  message: 'One of its strategies is no object. Export it again.',
}
const NO_STATE: Flaw = {
  code: 'state_missing',
  message: 'The file does not state whether it is on. Export the environment again.',
}

const NO_STRATEGIES: Flaw = {
  code: 'state_missing',
  message: 'The file does not state for whom it is on: it has no list of strategies. Export it again.',
}

/** An export has one list for each kind of thing. */
function ofExport(content: JsonObject, environment: string): readonly UnleashFeature[] {
  // Without its feature a strategy would be left out, and the feature on for everyone.
  if (!listOf(content.featureStrategies).every((one) => isObject(one) && textOf(one.featureName) !== null))
    throw new UnreadableFile(
      'A strategy in "featureStrategies" names no feature. Export the environment again.',
    )
  const isHere = (item: JsonObject) => item.environment === undefined || item.environment === environment
  const strategies = groupBy(objectsOf(content.featureStrategies).filter(isHere), 'featureName')
  const states = groupBy(objectsOf(content.featureEnvironments).filter(isHere), 'featureName')
  const tags = groupBy(objectsOf(content.featureTags), 'featureName')
  const dependencies = groupBy(objectsOf(content.dependencies), 'feature')
  const segments = groupBy(objectsOf(content.featureStrategySegments), 'featureStrategyId')
  return listOf(content.features).map((item, index) => {
    const feature = objectOf(item)
    const name = textOf(feature.name) ?? unnamed(index)
    const state = (states.get(name) ?? []).at(-1)
    const own = [...(strategies.get(name) ?? [])].sort(bySortOrder)
    const variants = objectsOf(state?.variants)
    return {
      ...{ name, facts: feature },
      isEnabled: state?.enabled === true,
      strategies: own.map((strategy) => withSegments(strategy, segments)),
      variants: variants.length > 0 ? variants : objectsOf(feature.variants),
      dependencies: (dependencies.get(name) ?? []).flatMap((one) => objectsOf(one.dependencies)),
      tags: (tags.get(name) ?? []).flatMap(tagOf),
      ...(textOf(feature.name) === null && { problem: NO_NAME }),
      ...(textOf(feature.name) !== null && typeof state?.enabled !== 'boolean' && { problem: NO_STATE }),
    }
  })
}

function tagOf({ tagType, tagValue, value }: JsonObject): readonly string[] {
  const text = textOf(tagValue) ?? textOf(value)
  return text === null ? [] : [tagType === 'simple' || !textOf(tagType) ? text : `${tagType}:${text}`]
}

function withSegments(
  strategy: JsonObject,
  segments: ReadonlyMap<string, readonly JsonObject[]>,
): JsonObject {
  const named = (segments.get(textForm(strategy.id)) ?? []).map(({ segmentId }) => segmentId)
  return {
    ...strategy,
    name: strategy.name ?? strategy.strategyName,
    segments: [...listOf(strategy.segments), ...named],
  }
}

const bySortOrder = (a: JsonObject, b: JsonObject) =>
  (numberOf(a.sortOrder) ?? 0) - (numberOf(b.sortOrder) ?? 0)

function groupBy(items: readonly JsonObject[], field: string): ReadonlyMap<string, readonly JsonObject[]> {
  const groups = new Map<string, JsonObject[]>()
  for (const item of items) {
    const key = isObject(item) ? textForm(item[field]) : ''
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
