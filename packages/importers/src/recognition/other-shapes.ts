import { isObject, type JsonObject, objectOf } from '../reading.ts'
import { anObject, isEmptyList, isEmptyObject, type Shape, someEntry, someItem } from './shape.ts'

const isOfFlagd = (flag: JsonObject) =>
  ['variants', 'defaultVariant', 'targeting'].some((field) => field in flag)

export const FLAGD_SHAPES: readonly Shape[] = [
  {
    ...{ kind: 'flags', what: 'flag definitions of flagd' },
    fits: anObject(({ flags }) => isEmptyObject(flags) || someEntry(flags, isOfFlagd)),
  },
  {
    ...{ kind: 'list', what: 'a list of flag definitions of flagd' },
    fits: anObject(({ flags }) => isEmptyList(flags) || someItem(flags, isOfFlagd)),
  },
  {
    ...{ kind: 'evaluators', what: 'evaluators of flagd' },
    fits: anObject(({ $evaluators, flags }) => flags === undefined && isObject($evaluators)),
  },
  {
    ...{ kind: 'resource', what: 'a FeatureFlag resource of Kubernetes' },
    fits: anObject(({ spec }) => isObject(objectOf(spec).flagSpec)),
    refused: 'Its flags are in spec.flagSpec: write that part to a file.',
  },
  {
    ...{ kind: 'evaluated', what: 'a response of OFREP' },
    fits: anObject(({ flags }) => someItem(flags, (flag) => 'value' in flag || 'errorCode' in flag)),
    refused: 'It has the values of one user, and no rules.',
  },
]

const isOfGoff = (flag: JsonObject) => isObject(flag.variations)

export const GOFF_SHAPES: readonly Shape[] = [
  { ...{ kind: 'flags', what: 'a flag file of GO Feature Flag' }, fits: (data) => someEntry(data, isOfGoff) },
  {
    ...{ kind: 'old', what: 'a flag file of GO Feature Flag before version 1' },
    fits: (data) => someEntry(data, (flag) => !('variations' in flag) && 'true' in flag && 'false' in flag),
    refused:
      'Its flags have "true", "false" and "default" in place of "variations" and "defaultRule". Convert it with the converter of GO Feature Flag v1.',
  },
  {
    ...{ kind: 'evaluated', what: "a response of GO Feature Flag's relay proxy" },
    fits: anObject(({ flags }) => someEntry(flags, (flag) => 'value' in flag && !('variations' in flag))),
    refused: 'It has the values of one user, and no rules.',
  },
]

/** A feature state of Flagsmith names its feature. */
const isFeatureState = ({ feature }: JsonObject) => isObject(feature)

export const FLAGSMITH_SHAPES: readonly Shape[] = [
  {
    ...{ kind: 'document', what: 'an environment document of Flagsmith' },
    fits: anObject(
      ({ feature_states }) => isEmptyList(feature_states) || someItem(feature_states, isFeatureState),
    ),
  },
  {
    ...{ kind: 'flags', what: 'a response for client-side SDKs of Flagsmith' },
    fits: (data) =>
      someItem(data, isFeatureState) || (isObject(data) && someItem(data.flags, isFeatureState)),
    refused: 'It has the values of one environment or user, and no segments.',
  },
  {
    ...{ kind: 'results', what: "a response of Flagsmith's REST API" },
    fits: anObject(({ results }) => Array.isArray(results)),
    refused: 'It has one kind of thing, and not the features of an environment with their segments.',
  },
  {
    ...{ kind: 'features', what: 'an export of features of Flagsmith' },
    fits: (data) => someItem(data, (item) => 'default_value' in item || 'initial_value' in item),
    refused: 'It has no segments and no overrides.',
  },
]

const isValue = (value: unknown) => ['b', 's', 'i', 'd'].some((field) => field in objectOf(value))
const isPlain = (value: unknown) => ['boolean', 'string', 'number'].includes(typeof value)

export const CONFIGCAT_SHAPES: readonly Shape[] = [
  {
    ...{ kind: 'v6', what: 'a config JSON of ConfigCat, version 6' },
    fits: anObject(({ f }) => isEmptyObject(f) || someEntry(f, ({ v }) => isValue(v))),
  },
  {
    ...{ kind: 'v5', what: 'a config JSON of ConfigCat, version 5' },
    fits: anObject(({ f }) => someEntry(f, ({ v }) => isPlain(v))),
  },
  {
    ...{ kind: 'v4', what: 'a config JSON of ConfigCat, version 3 or 4' },
    fits: (data) => someEntry(data, ({ t, v }) => isPlain(v) && typeof t === 'number'),
  },
  {
    ...{ kind: 'v2', what: 'a config JSON of ConfigCat, version 2' },
    fits: (data) => someEntry(data, (one) => isPlain(one.Value) && 'SettingType' in one),
    refused: 'No SDK of ConfigCat reads this version any more.',
  },
  {
    ...{ kind: 'api', what: "a response of ConfigCat's management API" },
    fits: (data) =>
      someItem(data, ({ settingId }) => settingId !== undefined) ||
      (isObject(data) && (Array.isArray(data.settingFormulas) || Array.isArray(data.settingValues))),
    refused: 'Its rules have another form than those of SDKs.',
  },
]
