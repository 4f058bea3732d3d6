import { randomBytes, randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { warnOfWeakSecrets } from '../../../src/app/warn-of-weak-secrets.ts'
import { createLog } from '../../../src/platform/log/log.ts'

function warningsFor(config: Parameters<typeof warnOfWeakSecrets>[1]): string {
  let text = ''
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  warnOfWeakSecrets({ log: createLog('info', sink) }, config)
  return text
}

it('a secret of fewer than 16 characters gets a warning, and is not shown', () => {
  const short = '15-characters-x'
  const config = { legacySdkKey: short, metrics_token: short, setup_token: short, sessionSecrets: [short] }
  const lines = warningsFor(config).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', setting: 'SDK_KEY' },
    { level: 'warn', setting: 'METRICS_TOKEN' },
    { level: 'warn', setting: 'SETUP_TOKEN' },
    { level: 'warn', setting: 'SESSION_SECRET' },
  ])
  expect(lines.join()).not.toContain(short)
})

it('a random secret, and an unset one, gets no warning', () => {
  const unset = { legacySdkKey: null, metrics_token: null, setup_token: null, sessionSecrets: null }
  expect(warningsFor(unset)).toBe('')
  for (let count = 0; count < 2_000; count += 1) {
    const config = {
      legacySdkKey: `sk_live_${randomBytes(24).toString('base64url')}`,
      metrics_token: randomBytes(8).toString('hex'),
      setup_token: randomBytes(12).toString('base64url'),
      sessionSecrets: [randomBytes(16).toString('hex'), randomUUID()],
    }
    expect(warningsFor(config), JSON.stringify(config)).toBe('')
  }
})

it.each([
  ['one letter', 'x'.repeat(40)],
  ['two letters', 'ab'.repeat(20)],
  ['a repeated word', 'change-me-'.repeat(4)],
  ['a row of digits', '12345678901234567890123456789012'],
  ['the alphabet', 'abcdefghijklmnopqrstuvwxyzabcdef'],
  ['one letter between others', `${'a'.repeat(20)}b${'a'.repeat(20)}`],
])('a secret of %s gets a warning, and is not shown', (_, weak) => {
  const config = {
    legacySdkKey: `sk_live_${weak}`,
    metrics_token: weak,
    setup_token: weak,
    sessionSecrets: [randomBytes(32).toString('hex'), weak],
  }
  const text = warningsFor(config)
  for (const setting of ['SDK_KEY', 'METRICS_TOKEN', 'SETUP_TOKEN', 'SESSION_SECRET'])
    expect(text).toContain(`${setting} repeats a few characters`)
  expect(text).not.toContain(weak)
})
