import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/access.ts'
import type { Endpoint } from '../../src/endpoint.ts'
import { endpoints } from '../../src/endpoints.ts'
import * as limits from '../../src/limits.ts'
import { openApiDocument } from '../../src/open-api.ts'

const DOCS = new URL('../../../../docs/', import.meta.url)
const FOLDER = new URL('reference/', DOCS)
const PAGES = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))
const pageOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')
const API = pageOf('api.md')

const document = openApiDocument(endpoints, { version: '1.2.3' })
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)
const all: readonly Endpoint[] = Object.values(endpoints)

/** Returns the rows of the table below a heading, without its head: cells without blanks around them. */
function tableBelow(page: string, heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe('the statuses of the reference', () => {
  const listed = tableBelow(API, 'Statuses').map(([status]) => Number(status))
  /** Statuses that come before an endpoint is known, or from SCIM, which is no part of the contract. */
  const WITHOUT_ENDPOINT = [405, 408, 417, 431, 501]

  test('the table has every error status of the API, and no other', () => {
    const used = operations.flatMap(({ operation }) => Object.keys(operation.responses).map(Number))
    const errors = new Set([...used.filter((status) => status >= 400), ...WITHOUT_ENDPOINT])
    expect(listed).toEqual([...errors].sort((a, b) => a - b))
  })

  test('the order of checks has statuses of the table', () => {
    const ordered = tableBelow(API, 'Order of checks').map(([, status]) => Number(status))
    expect(ordered.filter((status) => !listed.includes(status))).toEqual([])
  })
})

describe('the permissions of the reference', () => {
  test('the description of each endpoint names its permission', () => {
    const unnamed = operations.filter(({ method, operation, path }) => {
      const { access = '' } =
        all.find((one) => one.method === method && toDocumentPath(one.path) === path) ?? {}
      const isNamed = operation.description.includes(`Permission: \`${access}\`.`)
      return isNamed !== PERMISSIONS.some((name) => name === access)
    })
    expect(unnamed.map(({ operation }) => operation.operationId)).toEqual([])
  })

  test('every permission that a page names exists', () => {
    const named = PAGES.flatMap((name) => [
      ...pageOf(name).matchAll(/`((?:read|write|edit|delete|review)_[a-z_]+)`/g),
    ]).map(([, name = '']) => name)
    const others = ['read_only', 'read_write', 'review_comment']
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => ![...PERMISSIONS, ...others].some((known) => known === name))).toEqual([])
  })
})

describe('the endpoints of the reference', () => {
  const mentions = PAGES.flatMap((name) => {
    const text = pageOf(name)
      .replaceAll(/```[\s\S]*?```/g, '')
      .replaceAll('\n', ' ')
    return [...text.matchAll(/`([A-Z]+(?:\|[A-Z]+)*) (\/[^\s`]*|\.\.\.\/[^\s`]*)`/g)].map(
      ([, methods = '', path = '']) => ({
        name,
        methods: methods.split('|'),
        path: path.split('?')[0] ?? '',
      }),
    )
  })

  test('every endpoint that a page names exists', () => {
    expect(mentions.length).toBeGreaterThan(40)
    const unknown = mentions.filter(({ methods, path }) =>
      methods.some((method) => !operations.some((one) => one.method === method && isPath(one.path, path))),
    )
    expect(unknown).toEqual([])
  })
})

const toDocumentPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

/** `...` stands for the beginning of a path. The names of parameters may differ. */
function isPath(path: string, mentioned: string): boolean {
  const plain = (text: string) => text.replaceAll(/\{\w+\}/g, '{}')
  return mentioned.startsWith('...')
    ? plain(path).endsWith(plain(mentioned.slice('...'.length)))
    : plain(path) === plain(mentioned)
}

describe('the limits of the reference', () => {
  const rows = new Map(tableBelow(API, 'Limits').map(([name = '', value = '']) => [name, value]))
  const amount = (count: number) => count.toLocaleString('en')
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`
  const { LIST_LIMIT_MAX, IMPRESSION_LIMIT_DEFAULT, IMPRESSION_LIMIT_MAX } = limits

  test.each([
    [
      'keys of flags, segments, experiments, goal events',
      `${limits.KEY_MAX_LENGTH} characters of \`A-Z a-z 0-9 _ -\``,
    ],
    [
      'environment name, slug',
      `${limits.ENVIRONMENT_NAME_MAX_LENGTH}, ${limits.ENVIRONMENT_SLUG_MAX_LENGTH} characters`,
    ],
    ['impressions or goal events in one request', amount(limits.INGEST_BATCH_MAX)],
    ['impression list', `1 to ${IMPRESSION_LIMIT_MAX} rows, default ${IMPRESSION_LIMIT_DEFAULT}`],
    ['exposure days', `1 to ${limits.EXPOSURE_DAYS_MAX}, default ${limits.EXPOSURE_DAYS_DEFAULT}`],
    ['audit list', `1 to ${limits.AUDIT_LIMIT_MAX} entries, default ${limits.AUDIT_LIMIT_DEFAULT}`],
    ['other lists', `1 to ${LIST_LIMIT_MAX} items where \`limit\` is sent`],
    ['body of an import', `${mib(limits.IMPORT_BODY_MAX_BYTES)}, ${limits.IMPORT_FILES_MAX} files`],
    ['webhook deliveries shown', amount(limits.WEBHOOK_DELIVERIES_MAX)],
    ['chat deliveries kept', `${limits.INTEGRATION_DELIVERIES_MAX} for each integration`],
    ['password', `${limits.PASSWORD_MIN_LENGTH} characters to ${amount(limits.PASSWORD_MAX_BYTES)} bytes`],
    ['personal access token expiry', `1 to ${limits.TOKEN_EXPIRY_DAYS_MAX} days, optional`],
    ['session', `${limits.SESSION_LIFETIME_MS / 86_400_000} days`],
    ['keep-alive of streams', `${limits.KEEP_ALIVE_MS / 1_000} s`],
  ])('the table says of %s what the contract does', (name, value) => {
    expect(rows.get(name)).toBe(value)
  })

  /** Sentences of pages, with the figures of the contract in them. */
  test.each<[page: string, sentence: string]>([
    [
      'api.md',
      `Bodies of the control plane are at most ${mib(limits.BODY_MAX_BYTES)}, those of login and setup ${limits.ANONYMOUS_BODY_MAX_BYTES / 1024} KiB`,
    ],
    ['api.md', `take ${mib(limits.IMPACT_BODY_MAX_BYTES)}, and an apply ${mib(limits.APPLY_BODY_MAX_BYTES)}`],
    [
      'api.md',
      `at most ${amount(limits.JSON_FIELDS_MAX)} fields and ${amount(limits.JSON_ITEMS_MAX)} list items in all, and ${amount(limits.LARGE_JSON_FIELDS_MAX)} fields`,
    ],
    ['api.md', `nesting deeper than ${limits.JSON_DEPTH_MAX} levels`],
    ['api.md', `lists each problem with its path, at most ${limits.PROBLEMS_MAX}`],
    ['access.md', `creates roles with chosen permissions under \`/api/roles\`: at most ${limits.ROLES_MAX}`],
    ['access.md', `\`favorite_flags\` has at most ${limits.FAVORITE_FLAGS_MAX} flag keys`],
    ['access.md', `\`saved_filters\` has at most ${limits.SAVED_FILTERS_MAX} filters`],
    ['access.md', `An account has at most ${limits.PASSKEYS_MAX} passkeys`],
    [
      'governance.md',
      `${amount(limits.REQUEST_COMMENTS_MAX)} texts of ${limits.COMMENT_MAX_LENGTH} characters`,
    ],
    ['governance.md', `\`min_approvals\` of an environment (1 to ${limits.MIN_APPROVALS_MAX}, default 1)`],
    ['governance.md', `makes change requests of the earliest ${limits.PLANNED_CHANGES_MAX}`],
    ['flags.md', `at most ${amount(limits.SEGMENT_KEYS_MAX)} keys and is absent when it is empty`],
    ['flags.md', `at most ${amount(limits.APPLY_FLAGS_MAX)} flags and ${limits.APPLY_SEGMENTS_MAX} segments`],
    ['flags.md', `undoes 1 to ${limits.REVERTED_ENTRIES_MAX} entries`],
    ['flags.md', `newest first and at most ${limits.INCIDENT_LIMIT_DEFAULT}`],
    ['flags.md', `the first ${limits.INCIDENT_IMPACTS_MAX} have an \`impact\``],
    ['flags.md', `at most ${limits.VARIANT_NAMES_MAX} names of values`],
    ['flags.md', `at most ${limits.FLAG_LINKS_MAX} \`{title, url}\``],
    ['flags.md', `text of at most ${limits.OWNER_EMAIL_MAX_LENGTH} characters`],
    [
      'flags.md',
      `at most ${limits.VALUE_SCHEMA_MAX_BYTES / 1024} KiB and ${limits.VALUE_SCHEMA_DEPTH_MAX} levels`,
    ],
    [
      'reports.md',
      `\`value\` is cut at ${amount(limits.IMPRESSION_VALUE_MAX_LENGTH)} characters, \`user_id\` at ${amount(limits.REPORTED_USER_ID_MAX_LENGTH)}`,
    ],
    [
      'reports.md',
      `accepts ${limits.CLIENT_NEW_FLAG_KEYS_A_DAY} new flag keys, ${limits.CLIENT_NEW_EVENT_KEYS_A_DAY} new event keys and ${limits.CLIENT_NEW_VALUES_A_DAY} new values a day`,
    ],
    ['reports.md', `An environment has at most ${amount(limits.UNKNOWN_FLAGS_MAX)} unknown flags`],
    ['reports.md', `removed ${limits.UNKNOWN_FLAG_DAYS} days after its last report`],
    ['streaming.md', `at most ${amount(limits.CLIENTS_MAX)} clients`],
    ['streaming.md', `the newest ${limits.PROPAGATION_REVISIONS_MAX} revisions`],
  ])('%s says: %s', (page, sentence) => {
    expect(pageOf(page).replaceAll(/\s+/g, ' ')).toContain(sentence)
  })
})
