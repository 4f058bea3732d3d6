import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Client, createClient } from '../../src/index.ts'
import { flagsFile } from '../../src/node.ts'
import { flag } from './support/flags.ts'
import { until } from './support/until.ts'

const INTERVAL_MS = 20
let folder: string
let file: string
let client: Client

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burgee-flags-'))
  file = join(folder, 'flags.json')
  client = createClient({ url: '', sdkKey: '', source: flagsFile(file, { intervalMs: INTERVAL_MS }) })
})
afterEach(async () => {
  await client.close()
  await rm(folder, { recursive: true })
})

it('flags come from a list in the format of the snapshot', async () => {
  await writeFile(file, JSON.stringify([flag('on'), flag('off', { is_enabled: false })]))
  await client.connect()

  expect([client.allFlags('u'), client.status.state]).toEqual([{ on: true, off: false }, 'offline'])
})

it('a file as programs of Windows write it is read, and bytes that are no text are refused', async () => {
  const text = '{\r\n  "theme": "Café"\r\n}\r\n'
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
  for (const bytes of [Buffer.from(`\uFEFF${text}`), utf16, Buffer.from(utf16).swap16()]) {
    await writeFile(file, bytes)
    const reader = createClient({ url: '', sdkKey: '', source: flagsFile(file, { watch: false }) })
    await reader.connect()
    expect(reader.allFlags('u')).toEqual({ theme: 'Café' })
    await reader.close()
  }
  await writeFile(file, Buffer.from(text, 'latin1'))
  await expect(client.connect()).rejects.toThrow('no UTF-8')
})

it('flags come from values by key, and changes of the file are updates', async () => {
  await writeFile(file, '{"on": true, "theme": "dark"}')
  await client.connect()
  expect(client.allFlags('u')).toEqual({ on: true, theme: 'dark' })
  const updates: (readonly string[])[] = []
  client.on('update', ({ flagKeys }) => updates.push(flagKeys))

  // As an editor saves: another file takes the name.
  await writeFile(`${file}.new`, '{"on": false, "theme": "dark"}')
  await rename(`${file}.new`, file)
  await until(() => !client.isEnabled('on', 'u'))
  expect(new Set(updates.flat())).toEqual(new Set(['on']))

  const errors: Error[] = []
  client.on('error', (error) => errors.push(error))
  await writeFile(file, '{"on": tr')
  await until(() => errors.length > 0)
  expect([errors[0]?.message, client.getVariant('theme', 'u')]).toEqual([
    expect.stringContaining('flags.json'),
    'dark',
  ])
  await rm(file)
  await until(() => errors.some(({ message }) => message.includes('ENOENT')))
  await writeFile(file, '{"on": true}')
  await until(() => client.isEnabled('on', 'u'))
})

it('connect() rejects without a usable file, and works once there is one', async () => {
  await expect(client.connect()).rejects.toThrow('ENOENT')
  await writeFile(file, '"text"')
  await expect(client.connect()).rejects.toThrow('an object of values by flag key')
  await writeFile(file, '{"on": true}')
  await client.connect()

  expect(client.isEnabled('on', 'u')).toBe(true)
})

it('a file that is not watched is read once, and may be named by a URL', async () => {
  await writeFile(file, '{"on": true}')
  const once = createClient({ url: '', sdkKey: '', source: flagsFile(pathToFileURL(file), { watch: false }) })
  await once.connect()
  await client.connect()
  await writeFile(file, '{"on": false, "second": 2}')
  await until(() => !client.isEnabled('on', 'u'))

  expect(once.isEnabled('on', 'u')).toBe(true)
  await once.close()
})
