import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { ClientOptions } from '../../src/client-options.ts'
import { SAVE_DELAY_MS } from '../../src/flag-cache.ts'
import { fileCache } from '../../src/node.ts'
import { type FlagServer, startFlagServer } from './support/flag-server.ts'
import { flag, stringFlag } from './support/flags.ts'
import { clientOf, type StartedClient } from './support/start-client.ts'
import { until } from './support/until.ts'

let server: FlagServer
let folder: string
let file: string
const clients: Client[] = []

beforeEach(async () => {
  server = await startFlagServer([flag('on'), stringFlag('colour', 'blue')])
  folder = await mkdtemp(join(tmpdir(), 'burgee-cache-'))
  file = join(folder, 'below', 'flags.json')
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await server.close()
  await rm(folder, { recursive: true })
})

function started(options: Partial<ClientOptions> = {}): StartedClient {
  const start = clientOf(server, { cache: fileCache(file), ...options })
  clients.push(start.client)
  return start
}

/** Lets a client save the flags of the server. */
async function fill(options?: Partial<ClientOptions>): Promise<void> {
  const { client } = started(options)
  await client.connect()
  await client.close()
}

const refuse = (status: number) => {
  server.onStream = (response) => void response.writeHead(status).end()
}

describe('a client with a cache', () => {
  it('a client starts with the saved flags while the server is unavailable', async () => {
    await fill()
    refuse(503)
    const { client, updates } = started()
    await client.connect()

    expect([client.isEnabled('on', 'u'), client.getVariant('colour', 'u')]).toEqual([true, 'blue'])
    expect(client.status).toMatchObject({ isReady: false, flagCount: 2, lastError: { status: 503 } })
    expect(updates).toEqual([['on', 'colour']])
  })

  it('the saved flags are used when the server has another address now', async () => {
    await fill()
    const { client } = started({ url: server.url.replace('127.0.0.1', '127.0.0.2') })
    refuse(503)
    await client.connect()

    expect(client.isEnabled('on', 'u')).toBe(true)
  })

  it('a client starts with the saved flags when the server does not respond in time', async () => {
    await fill()
    server.onStream = () => {}
    const { client, platform } = started()
    const connecting = client.connect({ timeoutMs: 100 })
    await until(() => client.status.flagCount === 2)
    platform.clock.advance(100)
    await connecting

    expect(client.isEnabled('on', 'u')).toBe(true)
  })

  it('flags of the server replace the saved ones', async () => {
    await fill()
    server.flags = [flag('on', { is_enabled: false, revision: 2 })]
    const { client } = started()
    await client.connect()

    expect(client.allFlags('u')).toEqual({ on: false })
  })

  it('changes are saved together, and the last ones at close()', async () => {
    const { client, platform } = started()
    await client.connect()
    await until(() => platform.clock.due().includes(SAVE_DELAY_MS))
    platform.clock.advance(SAVE_DELAY_MS)
    await until(() => existsSync(file))
    server.update({ type: 'UPSERT', flag: flag('late', { revision: 3 }) })
    await until(() => client.isEnabled('late', 'u'))
    await client.close()

    expect(JSON.parse(await readFile(file, 'utf8')).flags).toHaveLength(3)
    expect(await readdir(join(folder, 'below'))).toEqual(['flags.json'])
    expect(await readFile(file, 'utf8')).not.toContain('sk_live_test')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('a manual client saves with its refresh, without a timer', async () => {
    const { client, platform } = started({ connection: 'manual' })
    await client.refresh()

    expect(platform.clock.due()).toEqual([])
    expect(JSON.parse(await readFile(file, 'utf8')).flags).toHaveLength(2)
  })

  it('a refused key rejects connect() also with saved flags', async () => {
    await fill()
    refuse(401)
    const { client } = started()
    await expect(client.connect()).rejects.toMatchObject({ status: 401 })
    await until(() => client.isEnabled('on', 'u'))
  })

  it('the flags of another SDK key are not used', async () => {
    await fill({ sdkKey: 'sk_live_staging' })
    refuse(503)
    const { client, errors } = started()
    void client.connect()
    await until(() => errors.some(({ message }) => message.includes('another SDK key or version')))

    expect(client.status.flagCount).toBe(0)
  })

  it.each([
    ['half a file', '{"version":1,"flags":[{"key"'],
    ['another content', '[1]'],
    ['null', 'null'],
    ['a wrong list', '{"version":1,"flags":{}}'],
  ])('%s is reported and ignored', async (_title, text) => {
    await fill()
    await writeFile(file, text)
    const { client, errors } = started()
    await client.connect()
    await until(() => errors.some(({ message }) => message.startsWith('the cache cannot be read')))

    expect(client.isEnabled('on', 'u')).toBe(true)
  })

  it('a file that is too large is neither read nor written', async () => {
    await fill()
    const small = fileCache(file, { maxBytes: 50 })
    await expect(small.load()).rejects.toThrow('more than 50 bytes')
    await expect(small.save('x'.repeat(51))).rejects.toThrow('maxBytes')
    expect(await small.save('x'.repeat(50)).then(small.load)).toBe('x'.repeat(50))
  })

  it('a cache that fails in every way changes nothing', async () => {
    const cache = {
      load: () => Promise.reject(new Error('no disk')),
      save: () => Promise.reject(new Error('no space')),
    }
    const { client, errors } = started({ cache })
    await client.connect()
    await client.close()

    expect(errors.map(({ message }) => message).join()).toMatch(/no disk.*no space/)
    expect(client.isEnabled('on', 'u')).toBe(true)
  })

  it('there is no half file after a failed write', async () => {
    await fill()
    await chmod(join(folder, 'below'), 0o500)
    // Root may write everywhere: both outcomes leave one whole file.
    await fileCache(file)
      .save('{}')
      .catch(() => {})
    await chmod(join(folder, 'below'), 0o700)

    expect(await readdir(join(folder, 'below'))).toEqual(['flags.json'])
  })

  it('a missing file is no error', async () => {
    expect(await fileCache(file).load()).toBe(null)
  })
})
