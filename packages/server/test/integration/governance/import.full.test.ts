import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTranslator } from '../../../src/governance/import/index.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const send = (system: string, one: object) =>
  server.call({ path: `/api/projects/${server.project.id}/import`, body: { system, files: [one] } })

const refused = async (system: string, one: object) => {
  const { body, status } = await send(system, one)
  expect(status).toBe(422)
  return body.error as string
}

const file = (name: string, content: unknown) => ({
  name,
  content: typeof content === 'string' ? content : JSON.stringify(content),
})

const FLAG = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }

describe('a file', () => {
  it('that stands for more than it is, is refused before it grows', async () => {
    const laughs = Array.from({ length: 30 }, (_, at) =>
      at === 0 ? 'a0: &a0 [x, x]' : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
    ).join('\n')
    await refused('goff', file('a.yaml', laughs))
    for (const deep of ['['.repeat(20_000), '{"a":'.repeat(20_000)]) {
      await refused('goff', file('a.yaml', deep))
      await refused('flagd', file('a.json', deep))
      await refused('goff', file('a.toml', `a = ${deep}`))
    }
    await refused('flagd', file('a.json', `${'['.repeat(5_000)}${']'.repeat(5_000)}`))
    const { status } = await send('flagd', file('a.json', 'x'.repeat(5 * 1024 * 1024)))
    expect(status).toBe(413)
  })
})

describe('a translation', () => {
  const translation = (content: unknown) => ({
    ...{ system: 'flagd' as const, nowMs: 0 },
    files: [file('a.json', content)],
  })
  const LOADER = new URL('../../harness/register-typescript.mjs', import.meta.url).href
  const execArgv = ['--import', LOADER, '-C', 'burgee-source']

  it('that takes too long ends with its process, and the next one has a new process', async () => {
    const translator = createTranslator({ execArgv, timeMs: 1 })
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`flag-${at}`, FLAG]))
    await expect(translator.translate('ann', translation({ flags: many }))).rejects.toThrow('take more than')
    await translator.close()
    const patient = createTranslator({ execArgv })
    const bytes = await patient.translate('ann', translation({ flags: { a: FLAG } }))
    expect(JSON.parse(bytes.toString()).flags).toHaveLength(1)
    await patient.close()
  })

  it('that takes too much memory ends with its process, and the server goes on', async () => {
    const translator = createTranslator({ execArgv, heapMb: 120, timeMs: 300_000 })
    const many = Object.fromEntries(Array.from({ length: 400_000 }, (_, at) => [`flag-${at}`, FLAG]))
    await expect(translator.translate('ann', translation({ flags: many }))).rejects.toThrow('too much memory')
    await translator.close()
  })

  it('of one caller waits for the others of this caller, of whom few may wait', async () => {
    const translator = createTranslator({ execArgv })
    const one = translation({ flags: { a: FLAG } })
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => translator.translate('ann', one)))
    const refusals = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refusals).toHaveLength(35)
    expect(refusals[0]).toMatchObject({ kind: 'unavailable', extras: { retry_after_seconds: 5 } })
    await translator.close()
  })

  it('of another caller has its turn after the one that runs', async () => {
    const translator = createTranslator({ execArgv })
    const one = translation({ flags: { a: FLAG } })
    const ended: string[] = []
    const send = async (caller: string) => {
      await translator.translate(caller, one)
      ended.push(caller)
    }
    await Promise.all([...Array.from({ length: 5 }, () => send('ann')), send('bob')])
    expect(ended.indexOf('bob')).toBeLessThanOrEqual(2)
    await translator.close()
  })
})
