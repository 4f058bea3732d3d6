import { isObject, type JsonObject } from '../reading.ts'
import { anObject, isEmptyList, type Shape, someItem } from './shape.ts'

const isStateOfFeature = (feature: JsonObject) =>
  typeof feature.enabled === 'boolean' || Array.isArray(feature.strategies)

const isExport = ({ featureEnvironments, features }: JsonObject): boolean =>
  Array.isArray(features) && Array.isArray(featureEnvironments)

const NO_RULES = 'It has no rules that can be read, so that no flag could be right.'

export const UNLEASH_SHAPES: readonly Shape[] = [
  {
    ...{ kind: 'export', what: 'an export of Unleash' },
    fits: anObject((content) => isExport(content) && Array.isArray(content.featureStrategies)),
  },
  {
    ...{ kind: 'export-part', what: 'a part of an export of Unleash' },
    fits: anObject(isExport),
    refused: 'It has no list "featureStrategies", so that every feature would be on for everyone.',
  },
  {
    ...{ kind: 'admin', what: "a response of Unleash's admin API with the environments of features" },
    fits: anObject(
      (content) =>
        someItem(content.features, ({ environments }) => Array.isArray(environments)) ||
        (Array.isArray(content.environments) && someItem(content.environments, isStateOfFeature)),
    ),
    refused: `It lists environments, and is no export of one. ${NO_RULES}`,
  },
  {
    ...{ kind: 'client', what: "what Unleash's SDKs receive" },
    fits: anObject(
      ({ features }) =>
        isEmptyList(features) || someItem(features, ({ strategies }) => Array.isArray(strategies)),
    ),
  },
  {
    ...{ kind: 'list', what: "a response of Unleash's admin API with names of features" },
    fits: anObject(({ features }) => someItem(features, ({ name }) => typeof name === 'string')),
    refused: `Its features have no strategies. ${NO_RULES}`,
  },
  {
    ...{ kind: 'segments', what: "a response of Unleash's admin API with segments" },
    fits: (data) => isSegments(data) || (isObject(data) && isSegments(data.segments)),
  },
  {
    ...{ kind: 'frontend', what: "a response of Unleash's frontend API" },
    fits: anObject(({ toggles }) => Array.isArray(toggles)),
    refused: 'It has the flags that are on for one user, and no rules.',
  },
  {
    ...{ kind: 'delta', what: "a response of Unleash's /api/client/delta" },
    fits: anObject(({ events }) => Array.isArray(events)),
    refused: 'It has changes, and not all features.',
  },
]

/** The segments of an import: also without any, and those that have only names. */
const isSegments = (list: unknown): boolean =>
  isEmptyList(list) || someItem(list, (item) => 'id' in item && ('constraints' in item || 'name' in item))
