import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { flag } from '../unit/support/flags.ts'

/** Runs a program with the built package; returns its exit code and what it printed. */
async function run(body: string): Promise<readonly [number | null, string]> {
  const script = `import { createClient } from '@burgee/sdk'\nconst never = () => new Promise(() => {})\n${body}`
  const program = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  program.stdout.on('data', (text: Buffer) => {
    printed += String(text)
  })
  const code = await new Promise<number | null>((resolve) => program.once('exit', resolve))
  return [code, printed.trim()]
}

// Node ends with code 13 where a program waits for what never comes.
it('a Node program ends after close() with a cache and a transport that never respond', async () => {
  const program = `
    const cache = { load: never, save: never }
    const fetch = never
    const client = createClient({ url: 'http://127.0.0.1:9', sdkKey: 'k', cache, fetch })
    client.connect({ timeoutMs: 100 }).catch(() => {})
    client.track('bought', 'u')
    await client.close()
    console.log('closed')`
  expect(await run(program)).toEqual([0, 'closed'])
})

it('a Node program ends after refresh() of a manual client whose cache never saves', async () => {
  const body = JSON.stringify([flag('on')])
  const program = `
    const cache = { load: async () => null, save: never }
    const fetch = async () => new Response(${JSON.stringify(body)}, { headers: { 'x-environment-id': 'e' } })
    const client = createClient({ url: 'http://127.0.0.1:9', sdkKey: 'k', cache, fetch, connection: 'manual' })
    client.on('error', ({ message }) => console.log(message))
    await client.refresh()
    console.log(client.isEnabled('on', 'u'))`
  const [code, printed] = await run(program)
  expect([code, printed.split('\n')]).toEqual([
    0,
    ['the cache cannot be saved: Error: no end within 3000 ms', 'true'],
  ])
})
