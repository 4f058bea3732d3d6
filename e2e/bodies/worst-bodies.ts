import {
  ANONYMOUS_BODY_MAX_BYTES,
  BODY_MAX_BYTES,
  type Endpoint,
  INGEST_BODY_MAX_BYTES,
} from '@burgee/contract'
import { LARGEST_JSON, WORST_JSON } from './worst-json.ts'

export interface WorstBody {
  readonly name: string
  /** Creates the text when it is sent: all of them would not fit into memory. */
  readonly text: () => string
}

/** The bytes of a body's small values, beside the one that is tested. */
const ROOM_BYTES = 2_000

/** Returns the bodies that are most expensive for this endpoint. */
export function worstBodies(endpoint: Endpoint): WorstBody[] {
  if (endpoint.ingest) return reports(endpoint)
  const most = (endpoint.bodyMaxBytes ?? BODY_MAX_BYTES) - ROOM_BYTES
  const example = exampleOf(endpoint)
  const inField = (field: string, json: string) =>
    `${JSON.stringify({ ...example, [field]: undefined }).replace(/}$/, '')}${fieldsBefore(example, field)}${JSON.stringify(field)}:${json}}`
  const whole = Object.entries(WORST_JSON).map(([name, text]) => ({ name, text: () => text(most) }))
  const values = { ...WORST_JSON, ...(most > ANONYMOUS_BODY_MAX_BYTES ? LARGEST_JSON : {}) }
  const fields = [...fieldsOf(endpoint.body), 'unknown'].flatMap((field) =>
    Object.entries(values).map(([name, text]) => ({
      name: `${name} in ${field}`,
      text: () => inField(field, text(most)),
    })),
  )
  const unknown = {
    name: 'unknown fields',
    text: () => inField('unknown', `0,${LARGEST_JSON['49,000 fields']?.(most).slice(1, -1) ?? ''}`),
  }
  return [...largestThings(endpoint), unknown, ...whole, ...fields]
}

/** Returns the largest flags and segments that are accepted: they are stored, sent, audited and returned. */
function largestThings({ body, path }: Endpoint): WorstBody[] {
  const fields = fieldsOf(body)
  const bodies: WorstBody[] = []
  for (const { thing, wrap } of placesOf(fields, path))
    for (const [name, content] of Object.entries(LARGEST[thing]))
      bodies.push({ name: `a ${thing}: ${name}`, text: () => JSON.stringify(wrap(content())) })
  return bodies
}

interface PlaceOf {
  readonly thing: 'flag' | 'segment'
  readonly wrap: (content: object) => object
}

/** The places of flags and segments in bodies with these fields. */
function placesOf(fields: readonly string[], path: string): PlaceOf[] {
  const flag = { is_enabled: true, flag_type: 'json' }
  const segment = { name: 'Largest' }
  if (path.endsWith('/segments/preview'))
    return [{ thing: 'segment', wrap: (content) => ({ key: 'largest', patch: { ...segment, ...content } }) }]
  if (fields.includes('patch')) {
    const scheduled_at = '2020-01-01T00:00:00Z'
    return [{ thing: 'flag', wrap: (content) => ({ scheduled_at, patch: { ...flag, ...content } }) }]
  }
  if (fields.includes('changes'))
    return [
      {
        thing: 'flag',
        wrap: (content) => ({
          changes: [{ flag_key: 'large', operation: 'patch', patch: { ...flag, ...content } }],
        }),
      },
      {
        thing: 'segment',
        wrap: (content) => ({ changes: [{ segment_key: 'largest', patch: { ...segment, ...content } }] }),
      },
    ]
  if (fields.includes('flags') && fields.includes('segments'))
    return [
      { thing: 'flag', wrap: (content) => ({ flags: [{ key: 'large', ...flag, ...content }] }) },
      { thing: 'segment', wrap: (content) => ({ segments: [{ key: 'largest', ...segment, ...content }] }) },
    ]
  if (!fields.includes('rules')) return []
  return path.includes('/segments')
    ? [{ thing: 'segment', wrap: (content) => ({ key: 'largest', ...segment, ...content }) }]
    : [{ thing: 'flag', wrap: (content) => ({ key: 'large', ...flag, ...content }) }]
}

const RULE = { attribute: 'plan', operator: 'equals', values: ['a'] }

const RULES: Readonly<Record<string, () => object>> = {
  'rules that differ': () => ({ rules: many(9_900, (index) => ({ ...RULE, attribute: `a${index}` })) }),
  'rules with conditions': () => ({ rules: many(5_000, () => ({ ...RULE, conditions: [RULE] })) }),
  'a rule with 99,000 values': () => ({
    rules: [{ ...RULE, values: many(98_000, (index) => `${index}`) }],
  }),
  'rules that name segments': () => ({
    rules: many(9_900, (index) => ({ segment_key: `s${index % 2_000}` })),
  }),
  'rules that match every user': () => ({
    rules: many(9_000, () => ({ ...RULE, operator: 'not_equals', values: ['a', 'b'] })),
  }),
  'unknown fields in rules': () => ({ rules: many(9_000, () => ({ ...RULE, x: 1, y: 1 })) }),
}

const LARGEST: Readonly<Record<PlaceOf['thing'], Readonly<Record<string, () => object>>>> = {
  segment: {
    ...RULES,
    'rules that name the segment': () => ({ rules: many(30_000, () => ({ segment_key: 'largest' })) }),
    'empty rules': () => ({ rules: many(99_000, () => ({})) }),
    'included keys': () => ({ included_keys: many(80_000, (index) => `u${index}`) }),
    'keys in both lists': () => ({
      included_keys: many(45_000, (index) => `u${index}`),
      excluded_keys: many(45_000, (index) => `u${index}`),
    }),
  },
  flag: {
    ...RULES,
    prerequisites: () => ({ prerequisites: many(20_000, (index) => ({ flag_key: `f${index}` })) }),
    'one prerequisite again and again': () => ({
      prerequisites: many(20_000, () => ({ flag_key: 'large', required_value: 1 })),
    }),
    variants: () => ({ variants: many(20_000, (index) => ({ weight: 1, value: index })) }),
    'a value of 48,000 fields': () => ({
      default_value: Object.fromEntries(many(48_000, (index) => [`k${index}`, 0])),
    }),
    'a value of 99,000 items': () => ({ default_value: many(99_000, () => 0) }),
    'a value of small objects': () => ({
      default_value: many(45_000, (index) => ({ [`k${index % 100}`]: 0 })),
    }),
    tags: () => ({ tags: many(80_000, (index) => `t${index}`) }),
  },
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

const fieldsBefore = (example: object, field: string): string =>
  Object.keys(example).some((name) => name !== field) ? ',' : ''

const fieldsOf = (schema: unknown): string[] =>
  typeof schema === 'object' && schema !== null && 'properties' in schema
    ? Object.keys(Object(schema.properties))
    : []

function exampleOf({ body }: Endpoint): object {
  const examples: unknown = body && 'examples' in body ? body.examples : undefined
  return Array.isArray(examples) ? Object(examples[0]) : {}
}

const KIB = 1024
/** The number of items that a report may have. */
const ITEMS = 500

/**
 * Returns reports of 16 MiB: with one item that is everything, and with as many items as allowed, each as
 * large as is kept.
 */
function reports(endpoint: Endpoint): WorstBody[] {
  const most = INGEST_BODY_MAX_BYTES - ROOM_BYTES
  const item = { flag_key: 'a', event_key: 'a' }
  const field = endpoint.path.endsWith('/impressions') ? 'value' : 'user_id'
  const items = (more: (index: number) => object) =>
    JSON.stringify(Array.from({ length: ITEMS }, (_, index) => ({ ...item, value: 'x', ...more(index) })))
  const goalItems = (more: (index: number) => object) =>
    items((index) => ({ ...more(index), ...(field === 'user_id' && { value: 1 }) }))
  const oneItem = Object.entries(WORST_JSON).flatMap(([name, text]) => [
    {
      name: `${name} in context`,
      text: () => `[{"flag_key":"a","event_key":"a","context":{"a":${text(most)}}}]`,
    },
    {
      name: `${name} in ${field}`,
      text: () => `[{"flag_key":"a","event_key":"a","${field}":${text(most)}}]`,
    },
    {
      name: `${name} in an unknown field`,
      text: () => `[{"flag_key":"a","event_key":"a","x":${text(most)}}]`,
    },
    { name, text: () => text(most) },
  ])
  const manyItems = [
    {
      name: '500 items with contexts of 8 KiB and values of 8,192 characters',
      text: () =>
        goalItems((index) => ({
          value: String.fromCodePoint(0x100 + index).repeat(8_192),
          user_id: `${index}${'é'.repeat(1_000)}`,
          context: { a: 'y'.repeat(8 * KIB - 10) },
        })),
    },
    {
      name: '500 contexts of fields of their own',
      text: () => goalItems((index) => ({ context: manyFields(index) })),
    },
    {
      name: '500 contexts of 30 KiB that come to 8',
      text: () => goalItems(() => ({ context: { a: 'b'.repeat(5_000) } })).replaceAll('b', '\\u0062'),
    },
    {
      name: '500 items that are wrong in every field',
      text: () =>
        items(() => ({
          flag_key: 1,
          event_key: 1,
          value: [],
          user_id: 1,
          context: 1,
          evaluated_at: 1,
          occurred_at: 1,
        })),
    },
    {
      name: '500 long texts for times',
      text: () => goalItems(() => ({ evaluated_at: '2'.repeat(30_000), occurred_at: '2'.repeat(30_000) })),
    },
  ]
  return [...manyItems, ...oneItem]
}

function manyFields(item: number): object {
  return Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`k${item}x${index}`, 0]))
}
