import { expect, it } from 'vitest'
import { startTestServer } from '../../harness/start-test-server.ts'

/** Starts a server with settings, and returns the settings that its start warned of. */
async function warnedOf(env: Readonly<Record<string, string>>): Promise<string[]> {
  const server = await startTestServer({ env: { LOG_LEVEL: 'warn', ...env } })
  const lines = server.logged().split('\n').filter(Boolean)
  await server.close()
  return lines.flatMap((line) => JSON.parse(line).setting ?? [])
}

it('a start warns of what gives less safety than it seems to, and of nothing else', async () => {
  const warned = await warnedOf({
    SESSION_SECRET: 'a'.repeat(40),
    METRICS_TOKEN: 'metrics-metrics-metrics-',
    TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1',
    CLIENT_SNAPSHOT_CACHE_SECONDS: '60',
  })
  expect(warned.sort()).toEqual([
    'CLIENT_SNAPSHOT_CACHE_SECONDS',
    'METRICS_TOKEN',
    'SESSION_SECRET',
    'TRUST_PROXY',
  ])
  expect(await warnedOf({ TRUST_PROXY: '10.0.0.0/8, fc00::/7' })).toEqual([])
  expect(await warnedOf({ TRUST_PROXY: '2000::/4,3000::/4' })).toEqual(['TRUST_PROXY'])
})

it.each(['0.0.0.0/0', '::/0', '10.0.0.0/8,::/0'])(
  'TRUST_PROXY=%s stops the start with the name of the setting',
  async (TRUST_PROXY) => {
    await expect(startTestServer({ env: { TRUST_PROXY } })).rejects.toMatchObject({
      problems: [{ setting: 'TRUST_PROXY' }],
    })
  },
)
