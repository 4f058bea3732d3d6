import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { warnOfShortSecrets } from '../../../src/app/warn-of-short-secrets.ts'
import { createLog } from '../../../src/platform/log.ts'

function warningsFor(config: Parameters<typeof warnOfShortSecrets>[1]): string {
  let text = ''
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  warnOfShortSecrets({ log: createLog('info', sink) }, config)
  return text
}

it('a secret of fewer than 16 characters gets a warning, and is not shown', () => {
  const short = '15-characters-x'
  const config = { legacySdkKey: short, metrics_token: short, setup_token: short }
  const lines = warningsFor(config).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', setting: 'SDK_KEY' },
    { level: 'warn', setting: 'METRICS_TOKEN' },
    { level: 'warn', setting: 'SETUP_TOKEN' },
  ])
  expect(lines.join()).not.toContain(short)
})

it('a longer secret, and an unset one, gets no warning', () => {
  expect(warningsFor({ legacySdkKey: 'x'.repeat(16), metrics_token: null, setup_token: null })).toBe('')
})
