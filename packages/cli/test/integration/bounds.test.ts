import { closeSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { createApi } from '../../src/api/create-api.ts'
import { readText } from '../../src/files/read-files.ts'
import { run, temporaryFolder } from '../harness/run.ts'
import { serve } from '../harness/serve.ts'

const MIB = 1024 * 1024

/** Makes a file of a size that takes no space on the disk. */
function sparseFile(path: string, bytes: number): string {
  const file = openSync(path, 'w')
  ftruncateSync(file, bytes)
  closeSync(file)
  return path
}

test('a response without an end is refused at the bound, whatever its headers say', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', write)
    write()
  })
  await expect(createApi(url, null, MIB).call('getCurrentUser', {})).rejects.toThrow(
    `The response of ${url} has more than 1 MiB. Check that this is the address of a Burgee server.`,
  )
})

test('a compressed response counts by what comes out of it', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    const gzip = createGzip()
    gzip.pipe(response)
    gzip.end(Buffer.alloc(4 * MIB, 'x'))
  })
  await expect(createApi(url, null, MIB).call('getCurrentUser', {})).rejects.toThrow('has more than 1 MiB')
})

test('a response within the bound is read whole, and characters may lie across its parts', async () => {
  const name = 'ü'.repeat(100_000)
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const body = Buffer.from(JSON.stringify({ name }))
    response.write(body.subarray(0, 1_000))
    response.end(body.subarray(1_000))
  })
  expect(await createApi(url, null, MIB).call('getCurrentUser', {})).toEqual({ name })
})

test('a file names its own bound, not that of the apply files', () => {
  const plan = sparseFile(join(temporaryFolder(), 'plan.json'), 33 * MIB)
  expect(() => readText(plan, 32 * MIB)).toThrow(`${plan} cannot be read: it may have at most 32 MiB`)
})

test('an import reads files only, at most 64 MiB together', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'small.json'), '{}')
  sparseFile(join(cwd, 'large.json'), 64 * MIB)
  expect(await run(['import', 'flagd', 'small.json', 'large.json'], { cwd })).toMatchObject({
    code: 2,
    err: expect.stringContaining('large.json cannot be read: the files together may have at most 64 MiB'),
  })
  for (const path of ['/dev/zero', cwd])
    expect(await run(['import', 'flagd', path], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${path} cannot be read: it is no file`),
    })
})

test('a field that does not exist is refused with its line and the name that was meant', async () => {
  const cwd = temporaryFolder()
  const lines = [
    ...['apiVersion: burgee/v1', 'environment: production', 'flags:', '  - key: checkout'],
    ...['    rollout_percentge: 25', '    create: { is_enabeld: true }', '    rules:'],
    ...['      - attribute: plan', '        operator: equals', '        values: [pro]', '        varaint: 1'],
    ...['    revision: 3', '    links: [{ titel: Page, url: "https://a.example" }]', '    zzz: 1'],
    'segments: [{ key: beta, nmae: Beta }]',
    'invariants:',
    '  - { key: safe, flag: checkout, nevr: [true], when: [{ attribute: plan, valuse: [] }] }',
  ]
  writeFileSync(join(cwd, 'flags.yaml'), lines.join('\n'))
  for (const command of ['plan', 'apply', 'test', 'dev']) {
    const { code, err } = await run([command, '-f', 'flags.yaml'], { cwd })
    expect([command, code]).toEqual([command, 2])
    expect(err).toContain(
      'flags.yaml:5: there is no field rollout_percentge; did you mean rollout_percentage?',
    )
    expect(err).toContain('flags.yaml:6: there is no field is_enabeld; did you mean is_enabled?')
    expect(err).toContain('flags.yaml:11: there is no field varaint; did you mean variant?')
    expect(err).toContain('flags.yaml:13: there is no field titel; did you mean title?')
    expect(err).toMatch(/flags.yaml:14: there is no field zzz$/m)
    expect(err).toContain('flags.yaml:15: there is no field nmae; did you mean name?')
    expect(err).toContain('flags.yaml:17: there is no field nevr; did you mean never?')
    expect(err).toContain('flags.yaml:17: there is no field valuse; did you mean values?')
    expect(err).not.toContain('revision')
  }
})
