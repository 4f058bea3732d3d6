import type { Flaw } from '../../gap.ts'
import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from '../../reading.ts'
import { environmentOfLink } from '../../recognition/find-missing.ts'
import { isSegment } from '../../recognition/launchdarkly-shapes.ts'
import { type RecognizedFile, recognizeFiles } from '../../recognition/recognize-files.ts'
import { MALFORMED } from '../../skipped-flag.ts'
import { noFlags, type SourceFile } from '../../system.ts'
import { completeState } from './ld-summary.ts'

/** A flag with its state in one environment, as the REST API and the SDKs have it alike. */
export interface LdFlag {
  readonly key: string
  /** The fields that all environments share: name, tags, variations. */
  readonly shared: JsonObject
  readonly state: JsonObject
  /** The values of its variations, and their names. */
  readonly variations: readonly { readonly value: unknown; readonly name: string | null }[]
  /** The reason why its state cannot be read. */
  readonly problem?: Flaw
}

export interface LdEnvironment {
  readonly environment: string
  readonly flags: readonly LdFlag[]
  readonly segments: readonly JsonObject[]
}

interface Found {
  readonly flags: Map<string, LdFlag[]>
  readonly segments: Map<string, JsonObject[]>
  /** The flags of the REST API by key. */
  readonly items: Map<string, JsonObject>
}

/** The environment of a file that does not name one. */
const UNNAMED = 'production'

/** Sorts the flags and segments of all files by environment. */
export function collectEnvironments(
  files: readonly SourceFile[],
  wanted: string | undefined,
): readonly LdEnvironment[] {
  const found: Found = { flags: new Map(), segments: new Map(), items: new Map() }
  for (const file of recognizeFiles('launchdarkly', files)) collectFile(file, wanted ?? UNNAMED, found)
  for (const [environment, flags] of found.flags) addMissing(environment, flags, found.items)
  const names = [...new Set([...found.flags.keys(), ...found.segments.keys()])]
  if (found.flags.size === 0) throw noFlags('launchdarkly')
  const chosen = wanted !== undefined && found.flags.has(wanted) ? [wanted] : names
  return chosen
    .filter((environment) => found.flags.has(environment))
    .map((environment) => ({
      environment,
      flags: found.flags.get(environment) ?? [],
      segments: found.segments.get(environment) ?? [],
    }))
}

function collectFile({ data, kind }: RecognizedFile, environment: string, found: Found): void {
  const content = objectOf(data)
  if (kind === 'sdk') {
    if (!found.flags.has(environment)) found.flags.set(environment, [])
    for (const [key, flag] of Object.entries(objectOf(content.flags)))
      push(found.flags, environment, isObject(flag) ? ofSdk(key, flag) : ofNothing(key, MALFORMED))
    for (const [key, value] of Object.entries(objectOf(content.flagValues)))
      push(found.flags, environment, ofValue(key, value))
    for (const [key, segment] of Object.entries(objectOf(content.segments)))
      if (isObject(segment)) push(found.segments, environment, { key, ...segment })
    return
  }
  const items = Array.isArray(data) ? data : 'items' in content ? listOf(content.items) : [content]
  for (const item of objectsOf(items)) collectItem(item, environment, found)
}

/** An item of the REST API: a flag, or a segment of the environment that its link names. */
function collectItem(item: JsonObject, environment: string, { flags, items, segments }: Found): void {
  const key = textOf(item.key)
  if (key === null) return
  if (isSegment(item)) {
    push(segments, environmentOfLink(item) ?? environment, item)
    return
  }
  items.set(key, item)
  for (const [name, state] of Object.entries(objectOf(item.environments)))
    if (isObject(state)) push(flags, name, ofRest(key, item, state))
}

/** A flag without a state in an environment is in its report: it may be on there. */
function addMissing(environment: string, flags: LdFlag[], items: Found['items']): void {
  const keys = new Set(flags.map(({ key }) => key))
  for (const [key, shared] of items)
    if (!keys.has(key))
      flags.push({
        ...ofNothing(key, {
          code: 'environment_missing',
          message: `The files have no state of it in ${environment}. Request the flags with env=${environment}.`,
        }),
        shared,
      })
}

function ofRest(key: string, shared: JsonObject, state: JsonObject): LdFlag {
  const variations = listOf(shared.variations).map((variation) => ({
    value: objectOf(variation).value,
    name: textOf(objectOf(variation).name),
  }))
  const isKnown = ['on', 'fallthrough', '_summary'].some((field) => field in state)
  const message = 'The file does not state whether it is on. Request the flags again with summary=0.'
  return {
    ...{ key, shared, state: completeState(state), variations },
    ...(!isKnown && { problem: { code: 'state_missing', message } }),
  }
}

const ofNothing = (key: string, problem: Flaw): LdFlag => ({
  ...{ key, problem, shared: {}, state: {}, variations: [] },
})

const ofSdk = (key: string, flag: JsonObject): LdFlag => ({
  ...{ key, shared: flag, state: flag },
  variations: listOf(flag.variations).map((value) => ({ value, name: null })),
})

/** A file source may give only the value of a flag. */
const ofValue = (key: string, value: unknown): LdFlag => ({
  ...{ key, shared: {} },
  state: { on: true, fallthrough: { variation: 0 }, offVariation: 0 },
  variations: [{ value, name: null }],
})

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
