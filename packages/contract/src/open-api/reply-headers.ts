import type { HeaderObject } from './document.ts'

/** The response headers that callers rely on, by name. The `sends` of an endpoint lists those that it has. */
export const REPLY_HEADERS = {
  ETag: {
    description: 'The version of the response: the `revision` in quotes for a flag, a hash for the snapshot',
    schema: { type: 'string', examples: ['"42"'] },
  },
  'X-Next-Cursor': {
    description:
      'Present when the list continues after this response: send it as `cursor`. A response ends at its `limit`, or at 16 MiB',
    schema: { type: 'string', examples: ['WyJmbGFncyIsIm5ldy1jaGVja291dCJd'] },
  },
  'X-Environment-Id': {
    description: 'The environment of the key: where impressions and goal events are reported',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Manifest-Capabilities': {
    description: 'What the credential may do with the manifest: some of `read`, `write` and `delete`',
    schema: { type: 'string', examples: ['read,write,delete'] },
  },
  'X-Burgee-Ack': {
    description:
      'Present when the request named a client that may confirm revisions: the milliseconds over which to spread confirmations, and the revision of the response',
    schema: { type: 'string', examples: ['207;revision=97'] },
  },
  'X-Computed-At': {
    description: 'When the response was computed from what is stored, UTC',
    schema: { type: 'string', format: 'date-time', examples: ['2026-01-12T09:30:00.000Z'] },
  },
  Location: {
    description: 'The address to open',
    schema: { type: 'string', examples: ['https://id.example.com/authorize?client_id=burgee'] },
  },
  'Set-Cookie': {
    description:
      'The encrypted session: `lg_session`, HttpOnly, SameSite=Strict, valid for 7 days. Signing out clears it. A second one, `lg_device`, makes the browser known to the login',
    schema: {
      type: 'string',
      examples: ['lg_session=eyJhbGciOi...; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure'],
    },
  },
  'X-Warning-Codes': {
    description: 'Codes of warnings of a response without a body; absent when there are none',
    schema: { type: 'string', examples: ['common_password'] },
  },
  'Clear-Site-Data': {
    description: "Clears the browser's data of the signed-in user, except cookies",
    schema: { type: 'string', examples: ['"cache", "storage"'] },
  },
  'Retry-After': {
    description: 'Seconds to wait',
    schema: { type: 'integer', minimum: 1, examples: [900] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: always `Bearer`',
    schema: { type: 'string', examples: ['Bearer'] },
  },
} as const satisfies Record<string, HeaderObject>
export type ReplyHeader = keyof typeof REPLY_HEADERS

/** References to response headers, as the document has them. */
export const headerReferences = (names: readonly ReplyHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
