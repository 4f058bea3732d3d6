import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/platform/settings/config.ts'

const PAGE = new URL('../../../../docs/hardening.md', import.meta.url)
const SECRET_FILE = '/etc/burgee/session-secret'

test('the settings of the systemd unit in docs/hardening.md are enough to start in production', () => {
  const page = readFileSync(PAGE, 'utf8')
  const unit = /```ini\n(\[Unit\][\s\S]*?)```/.exec(page)?.[1] ?? ''
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  expect(env).toMatchObject({ NODE_ENV: 'production', SESSION_SECRET_FILE: SECRET_FILE })

  const read = (path: string) => {
    expect(path).toBe(SECRET_FILE)
    return `${'x'.repeat(64)}\n`
  }
  expect(loadConfig(env, read)).toMatchObject({
    dataDir: '/var/lib/burgee',
    sessionSecrets: ['x'.repeat(64)],
  })
  expect(page).toContain(`/dev/stdin ${SECRET_FILE}\n`)
})
