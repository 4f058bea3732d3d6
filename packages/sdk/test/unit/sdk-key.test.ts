import { describe, expect, it } from 'vitest'
import { startFlagServer } from './support/flag-server.ts'
import { flag } from './support/flags.ts'
import { clientOf } from './support/start-client.ts'

describe('the SDK key', () => {
  it.each(['\u200b', '\u2060', '\u00ad', '\u202e', '\n', ' ', 'é', '\u0000'])(
    'a key with %j in it throws at once, and says what to do',
    async (character) => {
      const server = await startFlagServer()
      for (const sdkKey of [`sk_live_a${character}b`, `sk_live_ab${character.trim()}\u200b`])
        expect(() => clientOf(server, { sdkKey })).toThrow('an sdkKey without hidden characters')
      await server.close()
    },
  )

  it.each(['', '   ', undefined])('the key %j throws at once', async (sdkKey) => {
    const server = await startFlagServer()
    // @ts-expect-error -- programs without types
    expect(() => clientOf(server, { sdkKey })).toThrow(TypeError)
    await server.close()
  })

  it('blanks and line ends around a key are not sent', async () => {
    const server = await startFlagServer([flag('on')])
    const { client } = clientOf(server, { sdkKey: '\ufeff sk_live_test\u00a0\r\n' })
    await client.connect()
    expect(server.requests('/stream')[0]?.headers.authorization).toBe('Bearer sk_live_test')
    await client.close()
    await server.close()
  })
})
