import { parseCookie } from 'cookie'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { bearerOf } from '../../../src/http/requests/authenticate.ts'
import { createValidators } from '../../../src/http/requests/validators.ts'
import { prefersHtml } from '../../../src/http/responses/prefers-html.ts'
import { acceptsGzip } from '../../../src/kernel/accepts-gzip.ts'
import { findExcess } from '../../../src/kernel/json/find-excess.ts'
import { matchesEtag } from '../../../src/kernel/matches-etag.ts'
import { toClientAddress } from '../../../src/platform/client-address.ts'
import { maskBareSecrets, redactUrl } from '../../../src/platform/log/redact-url.ts'
import { cutText, repairJson } from '../../../src/reporting/ingest/reported-text.ts'
import { type Attack, findGrowth } from '../../growth/measure-growth.ts'

/** The parts of headers, URLs and bodies, which are repeated after a start and before an end. */
const UNITS = [
  'a',
  ' ',
  ',',
  ';',
  '=',
  '"',
  '%',
  '+',
  '-',
  '.',
  '&',
  '?',
  '#',
  '/',
  '*',
  '[',
  '\\',
  '%25',
  '%2525',
  '%41',
  'a=b&',
  'a=b;',
  'a;q=1,',
  'W/"a",',
  'gzip',
  'gzip,',
  '*/*,',
  'text/html;',
  '-eyJa',
  'eyJa.',
  '.eyJ',
  'sk_live_',
  'pat_',
  '/sk_live_',
  'sdk_key',
  '&sdk_key',
  '\\u0000',
  '\\ud800',
  '\\u00',
  '😀',
  '127.0.0.1,',
  '0:',
  '0.',
]
const STARTS = ['', '/x?', '"', 'Bearer ', '2026-01-05T10:00:00.']
const ENDS = ['', '!', '\n', '=']

const attacks: readonly Attack[] = STARTS.flatMap((start) =>
  UNITS.flatMap((unit) =>
    ENDS.map((end) => ({
      name: JSON.stringify({ start, again: unit, end }),
      text: (length: number) => start + unit.repeat(Math.ceil(length / unit.length)) + end,
    })),
  ),
)

const timestamp = createValidators().body(Type.String({ format: 'date-time' }))
const uuid = createValidators().body(Type.String({ format: 'uuid' }))

/** The functions that read a header, a URL or a text of a body with more than one pattern. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  'the credentials in a URL': redactUrl,
  'the credentials in a line of the log': maskBareSecrets,
  'a cookie header': (text) => parseCookie(text),
  'an Authorization header': bearerOf,
  'an Accept header': prefersHtml,
  'an Accept-Encoding header': acceptsGzip,
  'an If-None-Match header': (text) => matchesEtag(text, '"1"'),
  'odd characters in JSON': repairJson,
  'a text that is cut': (text) => cutText(text, 1_000),
  'the bounds of a JSON text': (text) =>
    findExcess(Buffer.from(text), { depth: 32, fields: 1_000, items: 1_000 }),
  'a forwarded address': toClientAddress,
  'a timestamp': timestamp,
  'a UUID': uuid,
}

describe('parsers of outside text take linear time', () => {
  it.each(Object.entries(PARSERS))('the parser of %s takes linear time', (_, parse) => {
    expect(findGrowth(parse, attacks)).toBeNull()
  })
})
