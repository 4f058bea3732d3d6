import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Outcome, run, temporaryFolder } from '../harness/run.ts'
import { type CommandServer, startCommandServer } from '../harness/start-command-server.ts'

let server: CommandServer
let exported: string

beforeAll(async () => {
  server = await startCommandServer('read_only')
  const flags = `/api/environments/${server.environments.production}/flags`
  for (const key of ['one', 'two', 'three'])
    expect(
      (
        await server.call({
          path: flags,
          body: { key, is_enabled: true, description: 'a "quote", {a brace} and \\ 漢字' },
        })
      ).body,
    ).toMatchObject({ key })
  const response = await fetch(`${server.url}/api/audit`, {
    headers: { accept: 'application/x-ndjson', cookie: server.cookie },
  })
  exported = await response.text()
})
afterAll(() => server.close())

const verify = (cwd: string, ...args: string[]): Promise<Outcome> =>
  run(['audit', 'verify', ...args], { cwd, env: server.env })

test('burgee audit verify reads the server, or an export alone', async () => {
  const cwd = temporaryFolder()
  const online = await verify(cwd)
  expect(online.err).toBe('')
  expect(online.code).toBe(0)
  expect(online.out).toContain('workspace')
  writeFileSync(join(cwd, 'audit.ndjson'), exported)
  expect((await verify(cwd, 'audit.ndjson')).code).toBe(0)
})

test('an export with a changed, removed or added line does not verify', async () => {
  const cwd = temporaryFolder()
  const lines = exported.trim().split('\n')
  const at = lines.findIndex((line) => line.includes('"flag_key":"one"'))
  const changes: Record<string, string[]> = {
    changed: lines.with(at, (lines[at] ?? '').replace('a brace', 'a place')),
    missing: lines.toSpliced(at, 1),
    inserted: lines.toSpliced(at, 0, lines[at] ?? ''),
    truncated: lines.filter((line) => !line.includes('"flag_key":"three"')),
  }
  for (const [problem, changed] of Object.entries(changes)) {
    writeFileSync(join(cwd, 'audit.ndjson'), changed.join('\n'))
    const { code, err, out } = await verify(cwd, 'audit.ndjson')
    expect([problem, code, err]).toEqual([problem, 1, expect.stringContaining('1 of')])
    expect(out).toContain(problem)
  }
})

test('an anchor that the log does not lead to is named, in whatever form it was kept', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'audit.ndjson'), exported)
  const heads = (await server.call({ path: '/api/audit/heads' })).body
  writeFileSync(join(cwd, 'heads.json'), JSON.stringify(heads.filter(({ seq }: { seq: number }) => seq > 0)))
  const { environments } = server
  const chain = environments.production
  const anchor = { chain, seq: 2, hash: 'ab'.repeat(32) }
  writeFileSync(join(cwd, 'log.ndjson'), `{"level":30,"chains":[${JSON.stringify(anchor)}]}\n{"x":1}\n`)
  const wrong = await verify(cwd, 'audit.ndjson', '--anchors', 'log.ndjson')
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('anchor at entry 2')])
  writeFileSync(join(cwd, 'none.json'), '{}')
  expect((await verify(cwd, 'audit.ndjson', '--anchors', 'none.json')).code).toBe(2)
  expect((await verify(cwd, 'none.json', '--partial')).code).toBe(0)
  writeFileSync(join(cwd, 'no.ndjson'), 'x')
  expect((await verify(cwd, 'no.ndjson')).code).toBe(2)
  expect((await verify(cwd, 'gone.ndjson')).err).toContain('gone.ndjson')
  expect((await verify(cwd, 'audit.ndjson', '--anchors', 'gone.json')).code).toBe(2)
})

test('an export without the line of heads, or without one of its heads, verifies only in part', async () => {
  const cwd = temporaryFolder()
  const lines = exported.trim().split('\n')
  const verifyLines = (changed: readonly string[], ...args: string[]) => {
    writeFileSync(join(cwd, 'audit.ndjson'), changed.join('\n'))
    return verify(cwd, 'audit.ndjson', ...args)
  }
  const headless = await verifyLines(lines.slice(0, -1))
  expect([headless.code, headless.out]).toEqual([1, ''])
  expect(headless.err).toContain('--partial')
  expect((await verifyLines(lines.slice(0, -1), '--partial')).code).toBe(0)
  expect((await verifyLines([])).code).toBe(1)
  const { heads } = JSON.parse(lines.at(-1) ?? '')
  const fewer = { heads: heads.filter(({ chain }: { chain: string }) => chain !== 'workspace') }
  const unknownEnd = await verifyLines([...lines.slice(0, -1), JSON.stringify(fewer)])
  expect([unknownEnd.code, unknownEnd.out]).toEqual([1, expect.stringContaining('workspace')])
  expect(unknownEnd.err).toContain('1 of')
  const cut = await verifyLines([exported.slice(0, exported.indexOf('"hash"'))])
  expect([cut.code, cut.err]).toEqual([2, expect.stringContaining('Line 1 of the export')])
  for (const line of ['null', '[]', '{"heads":[null]}'])
    expect((await verifyLines([line])).err).toContain('Line 1 of the export')
})
