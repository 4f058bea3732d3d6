import { isObject, type JsonObject, listOf, numberOf, objectOf, objectsOf, textOf } from '../../reading.ts'
import { type SourceFile, UnreadableFile } from '../../system.ts'

/** A feature in one environment, in the form that SDKs receive. */
export interface UnleashFeature {
  readonly name: string
  readonly facts: JsonObject
  readonly isEnabled: boolean
  readonly strategies: readonly JsonObject[]
  readonly variants: readonly JsonObject[]
  readonly dependencies: readonly JsonObject[]
  readonly tags: readonly string[]
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
  const contents = files.map(({ data }) => (Array.isArray(data) ? { segments: data } : objectOf(data)))
  const environments = contents.filter(hasFeatures).flatMap((content) => readContent(content, wanted))
  if (environments.length === 0)
    throw new UnreadableFile(
      'There are no features in these files. Give an export, the answer of /api/client/features, or a state export; and the answer of /api/admin/segments where segments are used.',
    )
  return { environments, segments: collectSegments(contents) }
}

const hasFeatures = ({ features }: JsonObject) => Array.isArray(features)

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

function readContent(content: JsonObject, wanted: string | undefined): readonly UnleashEnvironment[] {
  if (!Array.isArray(content.featureEnvironments))
    return [{ environment: wanted ?? UNNAMED, features: ofClient(content) }]
  const states = objectsOf(content.featureEnvironments)
  const names = [...new Set(states.map(({ environment }) => textOf(environment) ?? UNNAMED))]
  const chosen = names.filter((name) => names.length === 1 || wanted === undefined || name === wanted)
  return chosen.map((name) => ({
    environment: names.length === 1 ? (wanted ?? name) : name,
    features: ofExport(content, name),
  }))
}

/** Reads what SDKs receive, and the oldest state export: a feature has its strategies. */
const ofClient = (content: JsonObject): readonly UnleashFeature[] =>
  objectsOf(content.features).flatMap((feature) => {
    const name = textOf(feature.name)
    return name === null
      ? []
      : [
          {
            ...{ name, facts: feature, tags: [] },
            isEnabled: feature.enabled === true,
            strategies: objectsOf(feature.strategies),
            variants: objectsOf(feature.variants),
            dependencies: objectsOf(feature.dependencies),
          },
        ]
  })

/** An export has one list for each kind of thing. */
function ofExport(content: JsonObject, environment: string): readonly UnleashFeature[] {
  const isHere = (item: JsonObject) => item.environment === undefined || item.environment === environment
  const strategies = groupBy(objectsOf(content.featureStrategies).filter(isHere), 'featureName')
  const states = groupBy(objectsOf(content.featureEnvironments).filter(isHere), 'featureName')
  const tags = groupBy(objectsOf(content.featureTags), 'featureName')
  const dependencies = groupBy(objectsOf(content.dependencies), 'feature')
  const segments = groupBy(objectsOf(content.featureStrategySegments), 'featureStrategyId')
  return objectsOf(content.features).flatMap((feature) => {
    const name = textOf(feature.name)
    const [state] = states.get(name ?? '') ?? []
    if (name === null) return []
    const own = [...(strategies.get(name) ?? [])].sort(bySortOrder)
    const variants = objectsOf(state?.variants)
    return [
      {
        ...{ name, facts: feature },
        isEnabled: state?.enabled === true,
        strategies: own.map((strategy) => withSegments(strategy, segments)),
        variants: variants.length > 0 ? variants : objectsOf(feature.variants),
        dependencies: (dependencies.get(name) ?? []).flatMap((one) => objectsOf(one.dependencies)),
        tags: (tags.get(name) ?? []).flatMap(({ tagType, tagValue, value }) => {
          const text = textOf(tagValue) ?? textOf(value)
          return text === null ? [] : [tagType === 'simple' || !textOf(tagType) ? text : `${tagType}:${text}`]
        }),
      },
    ]
  })
}

function withSegments(
  strategy: JsonObject,
  segments: ReadonlyMap<string, readonly JsonObject[]>,
): JsonObject {
  const named = (segments.get(String(strategy.id)) ?? []).map(({ segmentId }) => segmentId)
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
    const key = isObject(item) ? String(item[field]) : ''
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
