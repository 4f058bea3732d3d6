import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from '../../reading.ts'
import { type SourceFile, UnreadableFile } from '../../system.ts'
import { completeState } from './ld-summary.ts'

/** A flag with its state in one environment, as the REST API and the SDKs have it alike. */
export interface LdFlag {
  readonly key: string
  /** The fields that all environments share: name, tags, variations. */
  readonly shared: JsonObject
  readonly state: JsonObject
  /** The values of its variations, and their names. */
  readonly variations: readonly { readonly value: unknown; readonly name: string | null }[]
}

export interface LdEnvironment {
  readonly environment: string
  readonly flags: readonly LdFlag[]
  readonly segments: readonly JsonObject[]
}

interface Found {
  readonly flags: Map<string, LdFlag[]>
  readonly segments: Map<string, JsonObject[]>
}

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

/** Sorts the flags and segments of all files by environment. */
export function collectEnvironments(
  files: readonly SourceFile[],
  wanted: string | undefined,
): readonly LdEnvironment[] {
  const found: Found = { flags: new Map(), segments: new Map() }
  for (const file of files) collectFile(file, wanted ?? UNNAMED, found)
  const names = [...new Set([...found.flags.keys(), ...found.segments.keys()])]
  if (found.flags.size === 0)
    throw new UnreadableFile(
      'There are no flags in these files. Give the answer of GET /api/v2/flags/{project} (with segments of each environment), or the data of an SDK: {"flags": {...}, "segments": {...}}.',
    )
  const chosen = wanted !== undefined && found.flags.has(wanted) ? [wanted] : names
  return chosen
    .filter((environment) => found.flags.has(environment))
    .map((environment) => ({
      environment,
      flags: found.flags.get(environment) ?? [],
      segments: found.segments.get(environment) ?? [],
    }))
}

function collectFile({ data }: SourceFile, environment: string, found: Found): void {
  const content = objectOf(data)
  if (isObject(content.flags) || isObject(content.flagValues) || isObject(content.segments)) {
    for (const [key, flag] of Object.entries(objectOf(content.flags)))
      if (isObject(flag)) push(found.flags, environment, ofSdk(key, flag))
    for (const [key, value] of Object.entries(objectOf(content.flagValues)))
      push(found.flags, environment, ofValue(key, value))
    for (const [key, segment] of Object.entries(objectOf(content.segments)))
      if (isObject(segment)) push(found.segments, environment, { key, ...segment })
    return
  }
  const items = Array.isArray(data)
    ? objectsOf(data)
    : 'items' in content
      ? objectsOf(content.items)
      : [content]
  for (const item of items) collectItem(item, environment, found)
}

/** An item of the REST API: a flag, or a segment of the environment that its link names. */
function collectItem(item: JsonObject, environment: string, { flags, segments }: Found): void {
  const key = textOf(item.key)
  if (key === null) return
  if (isObject(item.environments)) {
    for (const [name, state] of Object.entries(item.environments))
      if (isObject(state)) push(flags, name, ofRest(key, item, state))
  } else if ('included' in item || 'excluded' in item || '_links' in item)
    push(segments, environmentOfLink(item) ?? environment, item)
}

/** `/api/v2/segments/<project>/<environment>` */
function environmentOfLink({ _links }: JsonObject): string | null {
  const href = textOf(objectOf(objectOf(_links).parent).href)
  return textOf(href?.split('/').at(-1))
}

function ofRest(key: string, shared: JsonObject, state: JsonObject): LdFlag {
  const variations = listOf(shared.variations).map((variation) => ({
    value: objectOf(variation).value,
    name: textOf(objectOf(variation).name),
  }))
  return { key, shared, state: completeState(state), variations }
}

const ofSdk = (key: string, flag: JsonObject): LdFlag => ({
  ...{ key, shared: flag, state: flag },
  variations: listOf(flag.variations).map((value) => ({ value, name: null })),
})

/** A file source may give only the value of a flag. */
const ofValue = (key: string, value: unknown): LdFlag => ({
  ...{ key, shared: {} },
  state: { on: true, fallthrough: { variation: 0 } },
  variations: [{ value, name: null }],
})

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
