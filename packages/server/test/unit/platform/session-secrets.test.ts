import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../src/platform/log/log.ts'
import { resolveSessionSecrets } from '../../../src/platform/session-secrets.ts'

let dataDir: string
let lines: string[]
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'burgee-'))
  lines = []
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const resolve = (sessionSecrets: string[] | null, folder = dataDir) => {
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  return resolveSessionSecrets({ log }, { sessionSecrets, dataDir: folder })
}

describe('session secrets', () => {
  it('configured session secrets are used, without a warning when they are strong', async () => {
    const secrets = ['x'.repeat(32), 'y'.repeat(40)]
    expect(await resolve(secrets)).toEqual(secrets)
    expect(lines).toEqual([])
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('short session secrets are used with a warning', async () => {
    expect(await resolve(['short'])).toEqual(['short'])
    expect(lines).toHaveLength(1)
  })

  it('unset session secrets are generated once, readable by their owner only, with a warning on each start', async () => {
    const folder = join(dataDir, 'new')
    const [first = ''] = await resolve(null, folder)
    expect(first.length).toBeGreaterThanOrEqual(32)
    expect(await resolve(null, folder)).toEqual([first])
    expect(statSync(join(folder, 'session-secret')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'session-secret'), 'utf8').trim()).toBe(first)
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toContain(first)
  })

  it('servers that generate session secrets at the same time have the same ones', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => resolve(null)))
    expect(new Set(results.flat()).size).toBe(1)
    expect(readdirSync(dataDir)).toEqual(['session-secret'])
  })

  it('session secrets are not read from a damaged file', async () => {
    writeFileSync(join(dataDir, 'session-secret'), '\n')
    await expect(resolve(null)).rejects.toThrow('damaged')
  })
})
