import type { Draft } from './draft.ts'
import {
  BODY_REFUSALS,
  hostileBytes,
  hostileContentType,
  hostileField,
  unwantedBody,
} from './hostile-bodies.ts'
import { HOSTILE_SEGMENTS, hostileText, TOO_LONG } from './hostile-values.ts'
import { invite, type Mutation, type Smuggled } from './mutation.ts'
import type { Random } from './random.ts'

/** Applies one or two mutations to a request, of a kind that can change it. */
export function makeHostile(random: Random, draft: Draft, smuggled: Smuggled): Draft {
  const hasBody = draft.body !== undefined
  const hasParams = Object.keys(draft.params).length > 0
  const fitting: Mutation[] = [
    ...(hasBody
      ? [hostileField, hostileField, hostileField, hostileField, hostileBytes, hostileBytes]
      : [unwantedBody]),
    ...(hasBody ? [hostileContentType] : []),
    ...(hasParams ? [hostileParam, hostileParam] : []),
    hostilePath,
    hostileQuery,
    smuggle,
    hostileHeader,
    hostileHeader,
    otherMethod,
  ]
  const once = random.pick(fitting)(random, draft, smuggled)
  return random.chance(0.2) ? random.pick(fitting)(random, once, smuggled) : once
}

/** Adds ids to the query and the body that contradict those of the path. */
const smuggle: Mutation = (random, draft, smuggled) => {
  const fields = Object.entries(smuggled).filter(() => random.chance(0.7))
  const query = `${draft.query}&${new URLSearchParams(fields).toString()}`
  const isObject = typeof draft.body === 'object' && draft.body !== null && !Array.isArray(draft.body)
  const body = isObject ? { ...draft.body, ...Object.fromEntries(fields) } : draft.body
  return { ...draft, query, body, ...invite(draft, 'smuggled ids', BODY_REFUSALS) }
}

const hostileParam: Mutation = (random, draft) => {
  const name = random.pick(Object.keys(draft.params))
  const segment = random.pick([...HOSTILE_SEGMENTS, (draft.params[name] ?? '').toUpperCase()])
  const params = { ...draft.params, [name]: segment }
  return { ...draft, params, ...invite(draft, `path ${name}`, pathRefusals(segment)) }
}

const hostilePath: Mutation = (random, draft) => {
  const path = draft.template.replace(/:(\w+)/g, (_, name: string) => draft.params[name] ?? '')
  const bad = random.pick(PATHS)(path)
  return { ...draft, path: bad, ...invite(draft, 'path', pathRefusals(bad)) }
}
/** Bytes beyond ASCII are not valid HTTP. */
const pathRefusals = (path: string): number[] => (/[\u0080-\u00ff]/.test(path) ? [400, 404] : [404])
const PATHS: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/%2e%2e${path}`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}%ff`,
  (path) => `${path};a=b`,
  (path) => `${path}#a`,
  (path) => `${path}.json`,
  (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  (path) => path.toUpperCase(),
  (path) => path.replace('/a', '/%61'),
  (path) => `http://elsewhere.example${path}`,
  (path) => `${path}/${'a/'.repeat(2_000)}`,
  () => '/../../../../etc/passwd',
  () => '/..%2f..%2f..%2fetc%2fpasswd',
  () => '/api',
  () => '/api/__proto__',
  () => '/%',
  () => '/\u00ff',
]

const hostileQuery: Mutation = (random, draft) => {
  const names = [...new URLSearchParams(draft.query).keys(), 'limit', 'archived', 'source', 'environment_id']
  const name = random.pick(names)
  const value = encode(hostileText(random))
  const query = random.pick<string>([
    `${draft.query}&${name}=${value}`,
    `${name}=${value}`,
    `${name}[]=a&${name}[0]=b`,
    `${name}=1&${name}=2`,
    `${name}`,
    `${name}=%00`,
    `${name}=%ff%fe`,
    `${name}=%`,
    `${name}=${'a'.repeat(7_000)}`,
    `__proto__[polluted]=1&constructor=1&__proto__=1`,
    '&&&==&=&a',
    'a=1;b=2',
    Array.from({ length: 1_000 }, (_, index) => `q${index}=`).join('&'),
    `${draft.query}&${name}=${TOO_LONG}`,
  ])
  // Endpoints ignore undeclared parameters of the query.
  return { ...draft, query, ...invite(draft, 'query', [431]) }
}

/** A lone surrogate has no encoding. */
const encode = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80')

const hostileHeader: Mutation = (random, draft) => {
  const [name, values] = random.pick(HEADERS)
  const value = random.pick<string | readonly string[] | null>(values)
  const { [name]: _, ...others } = draft.headers
  const headers = value === null ? others : { ...others, [name]: value }
  return { ...draft, headers, ...invite(draft, `header ${name}`, HEADER_REFUSALS[name] ?? [431]) }
}
const HEADER_REFUSALS: Readonly<Record<string, readonly number[]>> = {
  'content-encoding': [400, 415],
  'content-type': BODY_REFUSALS,
  authorization: [401, 431],
  cookie: [401, 431],
  expect: [417],
  host: [400],
}
const HEADERS: readonly [string, readonly (string | readonly string[] | null)[]][] = [
  [
    'if-match',
    [
      '',
      '*',
      '"',
      '""',
      'abc',
      '"-1"',
      '"1e400"',
      '"9223372036854775808"',
      'W/"1"',
      '"1", "2"',
      ['"1"', '"2"'],
    ],
  ],
  ['if-none-match', ['', '*', '"', 'W/"x"', `"${'a'.repeat(5_000)}"`, '"a", '.repeat(1_000), ['"a"', '"b"']]],
  ['if-modified-since', ['', 'now', 'Thu, 01 Jan 1970 00:00:00 GMT', '275761']],
  ['accept', ['', '*', 'text/html', 'application/json;q=2', ',;=', 'text/html;q=NaN', 'a/b,'.repeat(1_000)]],
  [
    'accept-encoding',
    ['', '*', 'gzip', 'gzip;q=0', 'br', 'gzip;q=1e400', 'identity;q=0', ';;;', 'gzip,'.repeat(500)],
  ],
  ['accept-version', ['1.x', '*', '']],
  [
    'authorization',
    [
      '',
      'Bearer',
      'Bearer  ',
      'Basic x',
      '\u00ff',
      `Bearer ${'a'.repeat(8_000)}`,
      'Bearer pat_',
      'bearer sk_live_',
    ],
  ],
  [
    'cookie',
    [
      '',
      ';',
      'lg_session',
      'lg_session=;lg_session=a',
      'lg_session=%',
      '__proto__=a',
      `a=${'b'.repeat(8_000)}`,
    ],
  ],
  ['x-flagservice-request', [null, '', 'false', 'TRUE', '1', ['true', 'true']]],
  ['content-encoding', ['gzip', 'br', 'identity', '', 'x, y']],
  ['content-type', ['', 'text/plain', '\u00ff']],
  ['expect', ['100-continue', 'nonsense']],
  ['host', ['', 'a b', '[', 'elsewhere.example:99999', '\u00ff']],
  ['origin', ['null', 'https://elsewhere.example', '']],
  ['range', ['bytes=0-', 'bytes=-1', 'a']],
  ['upgrade', ['websocket', 'h2c']],
  [
    'x-forwarded-for',
    ['', 'a', '::1', '1.2.3.4, 5.6.7.8', '\u00ff', '1.2.3.4,'.repeat(500), 'x'.repeat(5_000)],
  ],
  ['x-http-method-override', ['DELETE']],
  ['x-request-id', ['', '\u00ff', 'a'.repeat(5_000)]],
  ['last-event-id', ['', '-1', '1e400', 'a'.repeat(5_000)]],
  ['x-large', [TOO_LONG]],
]

/** Methods that no endpoint has; other methods might change what must stay. */
const otherMethod: Mutation = (random, draft) => {
  const method = random.pick([
    'HEAD',
    'HEAD',
    'OPTIONS',
    'OPTIONS',
    'TRACE',
    'PUT',
    'PROPFIND',
    'SEARCH',
    'QUERY',
  ])
  return { ...draft, method, ...invite(draft, `method ${method}`, [400, 404, 405]) }
}
