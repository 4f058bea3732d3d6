import { isObject, type JsonObject, listOf, objectOf, objectsOf } from '../../reading.ts'

/** The field of a rule that has no equal: the code and the message of its gap. */
export const UNTRANSLATABLE = 'untranslatable'

/**
 * Returns a feature of the REST API in one environment as SDKs receive it. The API has that as a text;
 * without it, the feature is built from its parts. Null where its rules are not there.
 */
export function definitionOf(facts: JsonObject, environment: string): JsonObject | null {
  const state = objectOf(objectOf(facts.environments)[environment])
  const definition = parse(state.definition)
  if (isObject(definition)) return definition
  const rules = Array.isArray(state.rules) ? objectsOf(state.rules) : rulesIn(environment, facts.rules)
  if (rules === null) return null
  const { defaultValue, prerequisites, valueType } = facts
  const gates = listOf(prerequisites).map((one) => ({ parentConditions: [parentOf(one)] }))
  return {
    defaultValue: typed(state.defaultValue ?? defaultValue, valueType),
    // SDKs receive no rule that is switched off.
    rules: [
      ...gates,
      ...rules.filter(({ enabled }) => enabled !== false).map((rule) => ruleOf(rule, valueType)),
    ],
  }
}

/** Version 2 of the API has one list of rules, each with its environments. */
function rulesIn(environment: string, rules: unknown): readonly JsonObject[] | null {
  if (!Array.isArray(rules)) return null
  return objectsOf(rules).filter(
    ({ allEnvironments, environments }) =>
      allEnvironments === true || listOf(environments).includes(environment),
  )
}

/** A prerequisite of a whole feature: a key, or a key with a condition. */
function parentOf(prerequisite: unknown): JsonObject {
  if (!isObject(prerequisite)) return { id: prerequisite, condition: { value: true }, gate: true }
  return { id: prerequisite.id, condition: conditionOf(prerequisite.condition) ?? {}, gate: true }
}

function ruleOf(rule: JsonObject, valueType: unknown): JsonObject {
  const condition = conditionOf(rule.condition)
  const gap = gapOf(rule, condition)
  const { namespace, prerequisites, ...others } = rule
  const isInNamespace = objectOf(namespace).enabled === true || Array.isArray(namespace)
  const parents = objectsOf(prerequisites)
  return {
    ...others,
    condition: condition ?? {},
    ...(isInNamespace && { namespace }),
    ...(parents.length > 0 && { parentConditions: parents }),
    ...(gap && { [UNTRANSLATABLE]: gap }),
    ...servedBy(rule, valueType),
  }
}

function servedBy(rule: JsonObject, valueType: unknown): JsonObject {
  if (rule.type !== 'experiment') return 'value' in rule ? { force: typed(rule.value, valueType) } : {}
  const variations = objectsOf(rule.value ?? rule.values)
  return {
    key: rule.trackingKey,
    variations: variations.map(({ value }) => typed(value, valueType)),
    weights: variations.map(({ weight }) => weight),
  }
}

/** Returns why a rule cannot be translated, with what the file has. */
function gapOf(rule: JsonObject, condition: JsonObject | null): JsonObject | null {
  if (condition === null) return { code: 'malformed', message: 'Its condition is not JSON.' }
  if (listOf(rule.savedGroupTargeting).length > 0)
    return {
      code: 'saved_group',
      message:
        'It is for saved groups, which this file only names. Give the response of /api/features/{key}.',
    }
  if (listOf(rule.scheduleRules).length > 0)
    return { code: 'clock', message: 'It begins or ends at a time. Schedule a change for then.' }
  if (rule.type === 'experiment-ref' || rule.type === 'safe-rollout')
    return {
      code: 'experiment',
      message:
        'It is an experiment, whose shares are not in this file. Give the response of /api/features/{key}.',
    }
  return null
}

/** The API has conditions as texts. Null for a text that is not an object. */
function conditionOf(condition: unknown): JsonObject | null {
  if (isObject(condition)) return condition
  if (condition === undefined || condition === null || condition === '') return {}
  const parsed = parse(condition)
  return isObject(parsed) ? parsed : null
}

/** The API has all values as texts. */
const typed = (value: unknown, type: unknown): unknown =>
  type === 'string' ? value : (parse(value) ?? value)

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
