import { describe, expect, test } from 'vitest'
import { findRelyingParty } from '../../../../src/identity/second-factors/passkeys/relying-party.ts'

describe('findRelyingParty', () => {
  test.each([
    ['https://flags.example.com', 'flags.example.com', 'https://flags.example.com'],
    ['https://flags.example.com:8443/burgee', 'flags.example.com', 'https://flags.example.com:8443'],
    ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
    ['https://flags', 'flags', 'https://flags'],
  ])('takes the host of PUBLIC_URL %s', (publicUrl, id, origin) => {
    // The header is of the caller's choice, and never counts beside the setting.
    for (const host of ['localhost:3000', 'evil.example', undefined]) {
      expect(findRelyingParty(publicUrl, host)).toEqual({ id, origins: [origin] })
    }
  })

  test.each([
    'http://flags.example.com',
    'https://192.0.2.7',
    'https://[2001:db8::7]:8443',
    'http://127.0.0.1',
  ])('has none for PUBLIC_URL %s, which browsers refuse', (publicUrl) => {
    expect(findRelyingParty(publicUrl, 'localhost')).toBeNull()
  })

  test.each(['localhost', 'localhost:3000', 'burgee.localhost:3000'])(
    'without PUBLIC_URL it is the request to %s on the same machine',
    (host) => {
      const id = host.split(':')[0]
      expect(findRelyingParty(null, host)).toEqual({ id, origins: [`http://${host}`, `https://${host}`] })
    },
  )

  test.each([
    'flags.example.com',
    'localhost.example.com',
    'localhost@evil.example',
    'notlocalhost',
    '127.0.0.1:3000',
    '[::1]',
    'local host',
    '',
    undefined,
  ])('without PUBLIC_URL there is none for a request to %s', (host) => {
    expect(findRelyingParty(null, host)).toBeNull()
  })
})
