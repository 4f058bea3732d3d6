import { PROBLEMS_MAX } from './limits.ts'
import { Prerequisite } from './schemas/flag.ts'
import { Link } from './schemas/flag-extensions.ts'
import { ConditionInput, TargetingRuleInput, WeightedVariant } from './schemas/rule.ts'
import type { Warning } from './schemas/warning.ts'

/** Fields of responses that writes ignore: sending them back is not a mistake. */
const READ_ONLY = [
  'revision',
  'warnings',
  'id',
  'environment_id',
  'created_at',
  'updated_at',
  'updated_by',
  'archived_at',
]

const RULE_FIELDS = new Set(Object.keys(TargetingRuleInput.properties))
const CONDITION_FIELDS = new Set(Object.keys(ConditionInput.properties))
const VARIANT_FIELDS = new Set(Object.keys(WeightedVariant.properties))
const PREREQUISITE_FIELDS = new Set(Object.keys(Prerequisite.properties))
const LINK_FIELDS = new Set(Object.keys(Link.properties))
/** The fields of rules, conditions, variants, prerequisites and links. */
export const PART_FIELDS: readonly string[] = [
  ...new Set([
    ...RULE_FIELDS,
    ...CONDITION_FIELDS,
    ...VARIANT_FIELDS,
    ...PREREQUISITE_FIELDS,
    ...LINK_FIELDS,
  ]),
]

/** The length of a field's name in a message; its path has the full name. */
const SHOWN_NAME_MAX_LENGTH = 100

/**
 * Returns a warning for each unknown field of the body of a flag, segment or invariant, probably a spelling
 * mistake. `known` are the body's own fields; those of rules, conditions, variants, prerequisites and links
 * are checked as well. Of very many, only the first have a path: a response lists no more, and of the others
 * it needs only the number.
 */
export function findUnknownFields(body: object, known: readonly string[]): Warning[] {
  const unknown = collectUnknown()
  unknown.in(body, new Set([...known, ...READ_ONLY]), '')
  unknown.inItems(body, 'rules', RULE_FIELDS, '')
  itemsOf(body, 'rules').forEach((rule, index) => {
    unknown.inItems(rule, 'conditions', CONDITION_FIELDS, `/rules/${index}`)
    unknown.inItems(rule, 'variants', VARIANT_FIELDS, `/rules/${index}`)
  })
  unknown.inItems(body, 'variants', VARIANT_FIELDS, '')
  unknown.inItems(body, 'prerequisites', PREREQUISITE_FIELDS, '')
  unknown.inItems(body, 'links', LINK_FIELDS, '')
  if (known.includes('when')) unknown.inItems(body, 'when', CONDITION_FIELDS, '')
  return unknown.warnings()
}

function collectUnknown() {
  const found: Warning[] = []

  function inFields(body: object, known: ReadonlySet<string>, path: string): void {
    for (const name of Object.keys(body)) {
      if (known.has(name)) continue
      found.push(found.length < PROBLEMS_MAX ? warningFor(name, path) : UNNAMED)
    }
  }

  return {
    in: inFields,
    inItems(body: object, field: string, known: ReadonlySet<string>, path: string): void {
      itemsOf(body, field).forEach((item, index) => {
        inFields(item, known, `${path}/${field}/${index}`)
      })
    },
    warnings: () => found,
  }
}

const UNNAMED: Warning = { code: 'unknown_field', path: '', message: 'A field is not known here.' }

function warningFor(name: string, path: string): Warning {
  const shown = name.length > SHOWN_NAME_MAX_LENGTH ? `${name.slice(0, SHOWN_NAME_MAX_LENGTH)}…` : name
  return {
    code: 'unknown_field',
    path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: `There is no field "${shown}"; it was ignored.`,
  }
}

function itemsOf(body: object, field: string): object[] {
  // Every object can be read by the name of an own field.
  const items: unknown = Object.hasOwn(body, field) ? body[field as keyof typeof body] : undefined
  return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : []
}
