import { isObject, type JsonObject } from '../reading.ts'
import { anObject, isEmptyList, isEmptyObject, type Shape, someEntry, someItem } from './shape.ts'

const isDefinition = (feature: JsonObject) => 'defaultValue' in feature || Array.isArray(feature.rules)
const isOfRest = ({ environments, id }: JsonObject) => typeof id === 'string' && isObject(environments)

export const GROWTHBOOK_SHAPES: readonly Shape[] = [
  {
    ...{ kind: 'encrypted', what: 'an encrypted payload of a GrowthBook SDK connection' },
    fits: anObject(
      ({ encryptedFeatures, encryptedSavedGroups }) =>
        typeof encryptedFeatures === 'string' || typeof encryptedSavedGroups === 'string',
    ),
    refused:
      'Only a program with its decryption key can read it. Switch off "Encrypt SDK payload" of the connection, or create another one without it, and read /api/features/{key} again.',
  },
  {
    ...{ kind: 'rest', what: "a response of GrowthBook's REST API" },
    fits: anObject(
      ({ feature, features }) =>
        someItem(features, isOfRest) || isEmptyList(features) || (isObject(feature) && isOfRest(feature)),
    ),
  },
  {
    ...{ kind: 'payload', what: "what GrowthBook's SDKs receive" },
    fits: anObject(({ features }) => isEmptyObject(features) || someEntry(features, isDefinition)),
  },
  {
    ...{ kind: 'groups', what: 'saved groups of GrowthBook' },
    fits: anObject(({ features, savedGroups }) => features === undefined && isGroups(savedGroups)),
  },
  {
    ...{ kind: 'map', what: 'a map of features of GrowthBook' },
    fits: (data) => someEntry(data, isDefinition) && !(isObject(data) && 'features' in data),
  },
]

const isGroups = (groups: unknown): boolean => Array.isArray(groups) || isObject(groups)
