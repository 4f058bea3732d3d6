import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { JsonValue } from '@burgee/evaluation'
import { type Engine, type EngineKind, type EngineUser, nest } from '../../src/engines/engine.ts'
import { objectOf } from '../../src/reading.ts'
import { entriesOf } from '../../src/systems/flagd/read-flagd.ts'

/** An engine of another service in Go. It is built once, and there is none on npm. */
export interface GoEngine {
  readonly name: string
  /** The folder with the program. */
  readonly folder: string
  /** The module file, where it is not `go.mod`. */
  readonly modules?: string
  readonly questionOf: (files: readonly unknown[]) => object
  readonly userOf: (user: EngineUser) => object
}

/** Tests evaluate at this time. */
export const NOW_MS = Date.parse('2026-06-01T00:00:00Z')

export const GOFF_ENGINE: GoEngine = {
  name: 'GO Feature Flag core 0.7.2',
  folder: 'goff',
  questionOf: (files) => ({ file: Object.assign({}, ...files) }),
  userOf: ({ attributes, key }) => ({
    key,
    attributes: {
      ...nest(attributes),
      gofeatureflag: { currentDateTime: new Date(NOW_MS).toISOString() },
    },
  }),
}

const FLAGD_PROTOCOL: Pick<GoEngine, 'folder' | 'questionOf' | 'userOf'> = {
  folder: 'flagd',
  questionOf: ([file]) => ({ file, keys: entriesOf(objectOf(file).flags).map(([key]) => key) }),
  userOf: ({ attributes, key }) => ({ targetingKey: key, ...nest(attributes) }),
}
export const FLAGD_ENGINE: GoEngine = { ...FLAGD_PROTOCOL, name: 'flagd core 0.16.0' }
/** Before the users of shares changed. */
export const OLD_FLAGD_ENGINE: GoEngine = { ...FLAGD_PROTOCOL, name: 'flagd core 0.12.1', modules: 'old.mod' }

const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/burgee/engines/', import.meta.url))
const TOOLCHAIN = 'go'
const BUILD_TIMEOUT_MS = 600_000

/** Builds an engine. Returns why not where Go is missing or its modules cannot be fetched. */
export function buildGoEngine({ folder, modules = 'go.mod', name }: GoEngine): string | null {
  mkdirSync(CACHE, { recursive: true })
  const cwd = fileURLToPath(new URL(`${folder}/`, import.meta.url))
  const args = ['build', `-modfile=${modules}`, '-o', programOf({ folder, modules }), '.']
  const { error, status, stderr } = spawnSync(TOOLCHAIN, args, {
    cwd,
    timeout: BUILD_TIMEOUT_MS,
    encoding: 'utf8',
  })
  if (error) return `${name} is not compared: go cannot be run (${error.message}).`
  if (status === 0) return null
  if (/dial tcp|no such host|i\/o timeout|Forbidden|proxy|network is unreachable/.test(stderr))
    return `${name} is not compared: its modules cannot be fetched.`
  throw new Error(`${name} cannot be built.\n${stderr}`)
}

const programOf = ({ folder, modules = 'go.mod' }: Pick<GoEngine, 'folder' | 'modules'>) =>
  `${CACHE}${folder}-${modules.replace('.mod', '')}`

/** Starts an engine that was built. Comparisons take turns, and `stop` ends it. */
export function startGoEngine(engine: GoEngine): { readonly kind: EngineKind; readonly stop: () => void } {
  const child = spawn(programOf(engine), [], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ask = questionsTo(child)
  const start: EngineKind['start'] = async ({ files }) => {
    const known = new Set((await ask(engine.questionOf(files.map(({ data }) => data)))) as string[])
    return evaluatorOf(known, (user) => ask({ user: engine.userOf(user) }) as Promise<Values>)
  }
  return { kind: { npmPackage: '', version: '', start }, stop: () => child.kill() }
}

type Values = Readonly<Record<string, JsonValue | undefined>>

/** The engine evaluates all flags of a user at once. */
function evaluatorOf(known: ReadonlySet<string>, valuesFor: (user: EngineUser) => Promise<Values>): Engine {
  let last: { readonly user: EngineUser; readonly values: Promise<Values> } | undefined
  return {
    has: (key) => known.has(key),
    ask: async (key, user, { value }) => {
      if (last?.user !== user) last = { user, values: valuesFor(user) }
      return { theirs: (await last.values)[key] ?? null, ours: value }
    },
    close: () => {},
  }
}

/** Returns a function that writes a line and resolves to the next line of the answer. */
function questionsTo(child: ChildProcessByStdio<Writable, Readable, null>) {
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)))
  child.on('exit', () => {
    for (const { reject } of waiting) reject(new Error('The engine ended.'))
  })
  return (question: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      child.stdin.write(`${JSON.stringify(question)}\n`)
    })
}
