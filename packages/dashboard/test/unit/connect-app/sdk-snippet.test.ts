import { describe, expect, test } from 'vitest'
import { connectionState } from '../../../src/parts/connect-app/connection-state.ts'
import { installCommand, masked, sdkSnippet } from '../../../src/parts/connect-app/sdk-snippet.ts'

const KEY = 'sk_live_0123456789'
const snippet = (runtime: 'node' | 'browser') =>
  sdkSnippet({ runtime, url: 'http://localhost:3000', sdk_key: KEY, flag_key: 'new-checkout' })

describe('the snippet', () => {
  test('holds the server, the key and the flag', () => {
    for (const runtime of ['node', 'browser'] as const) {
      expect(snippet(runtime)).toContain("url: 'http://localhost:3000'")
      expect(snippet(runtime)).toContain(`'${KEY}'`)
      expect(snippet(runtime)).toContain("isEnabled('new-checkout', 'user-1')")
    }
  })

  test('asks the environment of a server first, which a browser has not', () => {
    expect(snippet('node')).toContain('process.env.BURGEE_SDK_KEY')
    expect(snippet('browser')).not.toContain('process')
  })

  test('can be shown without its key', () => {
    const shown = masked(snippet('node'), KEY)
    expect(shown).not.toContain(KEY)
    expect(shown.split('\n')).toHaveLength(snippet('node').split('\n').length)
  })
})

test.each([
  [undefined, 'unknown'],
  [{ streams: 0, last_connected_at: null }, 'never'],
  [{ streams: 0, last_connected_at: '2026-01-05T10:00:00.000Z' }, 'before'],
  [{ streams: 2, last_connected_at: null }, 'now'],
] as const)('connections %o are "%s"', (connections, state) => {
  expect(connectionState(connections)).toBe(state)
})

test('the SDK is installed from the server that the page comes from', () => {
  expect(installCommand('https://flags.example.com')).toBe(
    'npm install https://flags.example.com/burgee-sdk.tgz',
  )
})
