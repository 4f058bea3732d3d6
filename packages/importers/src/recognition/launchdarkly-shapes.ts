import { isObject, type JsonObject, objectOf } from '../reading.ts'
import { anObject, isEmptyObject, type Shape, someEntry, someItem } from './shape.ts'

/** The lists of the REST API: `{"items": [...]}`, a list, or one item. */
const itemsOf = (data: unknown): readonly unknown[] => {
  if (Array.isArray(data)) return data
  if (!isObject(data)) return []
  return Array.isArray(data.items) ? data.items : [data]
}

const hasItem = (test: (item: JsonObject) => boolean) => (data: unknown) => someItem(itemsOf(data), test)

const isFlag = ({ key, variations }: JsonObject) => typeof key === 'string' && Array.isArray(variations)
const isState = (state: unknown) =>
  isObject(state) && ('on' in state || 'fallthrough' in state || '_summary' in state)

/** A flag with its state in at least one environment. */
const hasStates = ({ environments }: JsonObject) =>
  isObject(environments) && Object.values(environments).some(isState)

/** Returns whether an item of the REST API is a segment. */
export const isSegment = (item: JsonObject) =>
  typeof item.key === 'string' &&
  !('variations' in item) &&
  ['included', 'excluded', 'includedContexts', 'unbounded', 'generation'].some((field) => field in item)

const isSdkFlag = (flag: JsonObject) => Array.isArray(flag.variations) || 'fallthrough' in flag

export const LAUNCHDARKLY_SHAPES: readonly Shape[] = [
  {
    ...{ kind: 'flags', what: "a response of LaunchDarkly's REST API with flags" },
    fits: hasItem((item) => isFlag(item) && hasStates(item)),
  },
  {
    ...{ kind: 'flags-alone', what: "a response of LaunchDarkly's REST API with flags" },
    fits: hasItem((item) => isFlag(item) && !hasStates(item)),
    refused:
      'It has the state of no environment: since its version 20240415 the API gives environments only with env=, at most three in a request.',
  },
  {
    ...{ kind: 'segments', what: "a response of LaunchDarkly's REST API with segments" },
    fits: hasItem(isSegment),
  },
  {
    ...{ kind: 'sdk', what: "the data of LaunchDarkly's server-side SDKs" },
    fits: anObject(
      ({ flags, flagValues, segments }) =>
        someEntry(flags, isSdkFlag) ||
        isObject(flagValues) ||
        (someEntry(segments, (segment) => isSegment({ key: '', ...segment }) || 'rules' in segment) &&
          (flags === undefined || isEmptyObject(flags))) ||
        (isEmptyObject(flags) && !('$schema' in objectOf(flags))),
    ),
  },
  {
    ...{ kind: 'nothing', what: "a response of LaunchDarkly's REST API without items" },
    fits: anObject(({ items }) => Array.isArray(items) && items.length === 0),
  },
  {
    ...{ kind: 'put', what: "an event of the stream of LaunchDarkly's SDKs" },
    fits: anObject(({ data }) => someEntry(objectOf(data).flags, isSdkFlag)),
    refused: 'Its flags are inside "data": write that part to a file.',
  },
  {
    ...{ kind: 'environments', what: "a response of LaunchDarkly's REST API with projects or environments" },
    fits: hasItem(
      (item) => 'apiKey' in item || 'mobileKey' in item || Array.isArray(objectOf(item.environments).items),
    ),
    refused: 'It has no flags.',
  },
  {
    ...{ kind: 'evaluated', what: 'a response for client-side SDKs of LaunchDarkly' },
    fits: (data) =>
      someEntry(data, (entry) => 'value' in entry && ('flagVersion' in entry || 'variation' in entry)) ||
      (isObject(data) && isObject(data.flagsState)),
    refused: 'It has the values of one user, and no rules.',
  },
]
