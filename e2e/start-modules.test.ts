import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStage } from './harness/open-stage.ts'
import { startServer } from './harness/start-server.ts'

/**
 * The libraries beside the bundle that each start loads. One for few installations is imported when it is set
 * up.
 */
const LIBRARIES = ['@node-rs/argon2']
/** The files that each start loads: the bundle, and the library with what it loads by name. */
const FILES_MAX = 5

const BUNDLE = new URL('../packages/server/dist/bundle/', import.meta.url)
/** The size of the bundle, which each start reads and holds. Raise it for what each start needs. */
const BUNDLE_MAX_BYTES = 3_400_000
/** The libraries within the bundle, with those that they bring. */
const BUNDLED = `
  @fastify/accept-negotiator @fastify/ajv-compiler @fastify/deepmerge @fastify/error
  @fastify/fast-json-stringify-compiler @fastify/forwarded @fastify/merge-json-schemas @fastify/proxy-addr
  @fastify/send @fastify/static @lukeed/ms @pinojs/redact abstract-logging ajv ajv-formats atomic-sleep
  avvio content-disposition cookie depd dequal escape-html fast-decode-uri-component fast-deep-equal
  fast-json-stringify fast-querystring fast-uri fastify fastify-plugin fastq find-my-way glob http-errors
  inherits ipaddr.js jose json-schema-ref-resolver json-schema-traverse kysely light-my-request mime
  on-exit-leak-free pg pg-cloudflare pg-connection-string pg-int8 pg-pool pg-protocol pg-types pgpass pino
  pino-std-serializers postgres-array postgres-bytea postgres-date postgres-interval process-warning
  quick-format-unescaped ret reusify rfdc safe-regex2 safe-stable-stringify secure-json-parse semver
  set-cookie-parser setprototypeof sonic-boom split2 statuses thread-stream toad-cache toidentifier
  typebox xtend
`

interface Coverage {
  readonly result: readonly { readonly url: string }[]
}

test('a start loads the server from one file, and only the libraries that every installation needs', async () => {
  const stage = openStage()
  const folder = stage.folder('coverage')
  const server = await startServer(stage, {
    dataDir: stage.folder('data'),
    // Node writes the files that it has loaded when it ends.
    env: { NODE_V8_COVERAGE: folder },
  })
  await server.stop()
  const files = readdirSync(folder).flatMap((file) => {
    const { result }: Coverage = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  })
  const libraries = new Set(files.filter(isLibrary).map(libraryOf))
  expect([...libraries].sort()).toEqual(LIBRARIES)
  expect(files.filter((url) => !isLibrary(url)).map((url) => url.split('/').at(-1))).toEqual(['main.js'])
  expect(files.length).toBeLessThan(FILES_MAX)
})

test('the bundle has only the libraries that every start needs, and its size a ceiling', () => {
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(
    readFileSync(new URL('main.js.map', BUNDLE), 'utf8'),
  )
  const libraries = new Set(sources.filter(isLibrary).map(libraryOf))
  expect([...libraries].sort()).toEqual(BUNDLED.trim().split(/\s+/))
  expect(statSync(new URL('main.js', BUNDLE)).size).toBeLessThan(BUNDLE_MAX_BYTES)
})

function isLibrary(url: string): boolean {
  return url.includes('/node_modules/')
}

function libraryOf(url: string): string {
  const [scope = '', name] = url.slice(url.lastIndexOf('/node_modules/') + '/node_modules/'.length).split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
