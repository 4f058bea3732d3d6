import { hostileValue, toJsonText } from './hostile-values.ts'
import { invite, type Mutation } from './mutation.ts'

/** The statuses for unreadable, undeclared or invalid bodies on any endpoint (docs/reference/api.md). */
export const BODY_REFUSALS = [400, 413, 415, 422]
const DEEP = 20_000

/** Replaces or removes a value somewhere in the body, or adds a field. */
export const hostileField: Mutation = (random, draft) => {
  const value = hostileValue(random)
  const places = placesIn(draft.body)
  const place = random.chance(0.05) ? [] : random.pick(places)
  const body = random.chance(0.85)
    ? withValue(draft.body, place, random.chance(0.08) ? undefined : value)
    : withValue(draft.body, [random.pick(['__proto__', 'constructor', 'id', 'revision', 'role', 'x'])], value)
  return { ...draft, body, ...invite(draft, `field /${place.join('/')}`, BODY_REFUSALS) }
}

type Place = readonly (string | number)[]

/** Returns every position in a value, the outermost first. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))]
}

function withValue(root: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value
  if (Array.isArray(root)) {
    return root.map((item: unknown, index) =>
      String(index) === String(first) ? withValue(item, rest, value) : item,
    )
  }
  const fields = typeof root === 'object' && root !== null ? Object.entries(root) : []
  const old = fields.find(([key]) => key === first)?.[1]
  const others = fields.filter(([key]) => key !== first)
  return Object.fromEntries([...others, [first, withValue(old, rest, value)]])
}

export const hostileBytes: Mutation = (random, draft) => {
  const text = toJsonText(draft.body ?? {})
  const [how, bytes] = random.pick(BYTES)(text)
  return { ...draft, bytes, ...invite(draft, how, BODY_REFUSALS) }
}

const from = (how: string, text: string, encoding: BufferEncoding = 'utf8'): [string, Buffer] => [
  how,
  Buffer.from(text, encoding),
]
const BYTES: readonly ((json: string) => [string, Buffer])[] = [
  () => from('empty', ''),
  () => from('blanks', ' \n\t '),
  () => from('null', 'null'),
  () => from('a number', '0'),
  () => from('a text', '"a"'),
  () => from('an array', '[]'),
  (json) => from('in an array', `[${json}]`),
  (json) => from('truncated', json.slice(0, -1)),
  (json) => from('truncated', json.slice(0, Math.floor(json.length / 2))),
  (json) => from('twice', json + json),
  (json) => from('rubbish after', `${json}\0`),
  (json) => from('byte order mark', `\ufeff${json}`),
  (json) => from('UTF-16', `\ufeff${json}`, 'utf16le'),
  () => ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  () => ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
  (json) => from('duplicate fields', json.replace(/^\{("(?:[^"\\]|\\.)*"):/, '{$1:null,$1:[],$1:')),
  (json) => from('a duplicate field', json.replace(/\}$/, ',"key":"a","key":"b"}')),
  (json) => from('a trailing comma', json.replace(/\}$/, ',}')),
  (json) => from('a comment', `/* a */${json}`),
  () => from('NaN', '{"rollout_percentage":NaN,"is_enabled":Infinity}'),
  () => from('deep arrays', '['.repeat(DEEP) + ']'.repeat(DEEP)),
  () => from('deep objects', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`),
  () => from('deep and open', '['.repeat(DEEP)),
  () => from('deep in a field', `{"default_value":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
  () => from('a long number', `{"rollout_percentage":${'9'.repeat(100_000)}}`),
  () => from('many fields', `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":0`).join(',')}}`),
  () => from('too large', `{"description":"${'x'.repeat(1_100_000)}"}`),
  (json) => from('a large field', json.replace(/^\{/, `{"description":"${'x'.repeat(1_000_000)}",`)),
]

/** Adds an undeclared body, also to methods that have none. */
export const unwantedBody: Mutation = (random, draft) => {
  const sent = { ...draft, headers: { ...draft.headers, 'content-type': 'application/json' } }
  return hostileBytes(random, { ...sent, how: [...draft.how, 'unwanted body'] }, {})
}

export const hostileContentType: Mutation = (random, draft) => {
  const type = random.pick(CONTENT_TYPES)
  const { 'content-type': _, ...others } = draft.headers
  const headers = type === null ? others : { ...others, 'content-type': type }
  return { ...draft, headers, ...invite(draft, `content type ${type}`, BODY_REFUSALS) }
}
const CONTENT_TYPES: readonly (string | readonly string[] | null)[] = [
  null,
  '',
  ' ',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'application/jsonx',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json, text/plain',
  'application/merge-patch+json',
  '/',
  'json',
  '\u00ff/\u00ff',
  `application/json; a=${'x'.repeat(5_000)}`,
  'application/json; charset="',
  '__proto__',
  ['application/json', 'text/plain'],
]
