import { PASSWORD_MAX_BYTES } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import { equalSecrets } from '../../../../src/platform/crypto/equal-secrets.ts'
import { hashSecret } from '../../../../src/platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../../../src/platform/crypto/new-secret.ts'
import { createPasswordHasher } from '../../../../src/platform/crypto/password.ts'
import { createSessionSeal } from '../../../../src/platform/crypto/sealed-session.ts'

describe('a stored secret', () => {
  it('a stored secret is the SHA-256 of the key, as hex', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('a new secret', () => {
  it.each(['sk_live_', 'pat_'] as const)(
    'a new secret starts with %s and has 256 random bits in URL-safe characters',
    (prefix) => {
      const secret = newSecret(prefix)
      expect(secret).toMatch(new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`))
      expect(newSecret(prefix)).not.toBe(secret)
    },
  )

  it('a new secret uses the given randomness', () => {
    expect(newSecret('pat_', (count) => new Uint8Array(count))).toBe(`pat_${'A'.repeat(43)}`)
  })

  it.each([
    [`sk_live_${'x'.repeat(43)}`, 'sk_live_xxxx…'],
    [`pat_${'y'.repeat(43)}`, 'pat_yyyy…'],
    ['sk_live_demo', 'sk_live_d…'],
    ['sk_live_abc', 'sk_live_…'],
    ['legacy-key-without-prefix', 'lega…'],
  ])('the preview of %s is %s, which ends with an ellipsis', (secret, preview) => {
    expect(previewSecret(secret)).toBe(preview)
  })
})

describe('secrets', () => {
  it.each([
    ['same', 'same', true],
    ['same', 'Same', false],
    ['short', 'much longer', false],
    ['', '', true],
  ])('the comparison of secrets %j and %j is %s', (left, right, equal) => {
    expect(equalSecrets(left, right)).toBe(equal)
  })
})

/** The address of the caller. */
const FROM = '192.0.2.1'
/** The hash of "correct horse" with 8 MiB. */
const WEAKER_HASH =
  '$argon2id$v=19$m=8192,t=2,p=1$x1f2ry0vCKlONaX8MzxZYg$X4CJdiCQF0pnJBvNkRdnJvn9kPQ9Pt0lKazbZXAzyms'

describe('a password', () => {
  const hasher = createPasswordHasher()

  it('a password is stored as an argon2id hash with 19 MiB, two passes and one lane', async () => {
    const hash = await hasher.hash('correct horse', FROM)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await hasher.hash('correct horse', FROM)).not.toBe(hash)
  })

  it.each([
    ['correct horse', true],
    ['wrong horse', false],
    ['correct horse ', false],
    ['', false],
  ])('%j matches the hash of "correct horse": %s', async (password, fits) => {
    expect(await hasher.verify(password, await hasher.hash('correct horse', FROM), FROM)).toBe(fits)
  })

  it('no password matches an account that does not exist', async () => {
    expect(await hasher.verify('correct horse', null, FROM)).toBe(false)
    expect(await hasher.verify('', null, FROM)).toBe(false)
  })

  it('a password has at most 1,024 bytes, not characters', async () => {
    const longest = 'é'.repeat(PASSWORD_MAX_BYTES / 2)
    const hash = await hasher.hash(longest, FROM)
    expect(await hasher.verify(longest, hash, FROM)).toBe(true)
    expect(await hasher.verify(`${longest}x`, hash, FROM)).toBe(false)
    await expect(hasher.hash(`${longest}x`, FROM)).rejects.toThrow(RangeError)
  })

  it('concurrent password checks all complete, also after a failed one', async () => {
    const hash = await hasher.hash('correct horse', FROM)
    const asked = Array.from({ length: 8 }, (_, n) =>
      n === 3
        ? hasher.verify('x', 'no hash', FROM).catch(() => 'failed')
        : hasher.verify('correct horse', hash, FROM),
    )
    expect(await Promise.all(asked)).toEqual([true, true, true, 'failed', true, true, true, true])
  })

  it('a password hash with other parameters is outdated', async () => {
    expect(hasher.isOutdated(await hasher.hash('correct horse', FROM))).toBe(false)
    expect(hasher.isOutdated(WEAKER_HASH)).toBe(true)
    expect(await hasher.verify('correct horse', WEAKER_HASH, FROM)).toBe(true)
  })
})

describe('a sealed session', () => {
  const NOW = new Date('2026-01-01T00:00:00Z')
  const LATER = new Date('2026-01-08T00:00:00Z')
  const seal = createSessionSeal(['new secret', 'old secret'])

  it('a sealed session opens to its session id', async () => {
    expect(await seal.open(await seal.seal('session-1', LATER), NOW)).toBe('session-1')
  })

  it('a sealed session is encrypted with AES-256-GCM and reveals nothing of its content', async () => {
    const sealed = await seal.seal('session-1', LATER)
    const [header = '', ...parts] = sealed.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM' })
    expect(parts.map((part) => Buffer.from(part, 'base64url').toString('latin1')).join()).not.toContain(
      'session-1',
    )
  })

  it('a session opens with any secret of the list, and is sealed with the first', async () => {
    const old = createSessionSeal(['old secret'])
    expect(await seal.open(await old.seal('session-1', LATER), NOW)).toBe('session-1')
    expect(await old.open(await seal.seal('session-1', LATER), NOW)).toBeNull()
    expect(await createSessionSeal(['new secret']).open(await seal.seal('s', LATER), NOW)).toBe('s')
  })

  it('an expired session does not open', async () => {
    const sealed = await seal.seal('session-1', LATER)
    expect(await seal.open(sealed, new Date(LATER.getTime() - 1_000))).toBe('session-1')
    expect(await seal.open(sealed, LATER)).toBeNull()
  })

  it('a session does not open when a single character is changed', async () => {
    const sealed = await seal.seal('session-1', LATER)
    const dots = [...sealed].filter((character) => character === '.').length
    expect(dots).toBe(4)
    const at = sealed.lastIndexOf('.') - 4
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(await seal.open(changed, NOW)).toBeNull()
  })

  it.each([
    '',
    '.',
    '....',
    'session-1',
    'a.b.c',
    'eyJhbGciOiJub25lIn0.eyJzaWQiOiJ4In0.',
    'x'.repeat(10_000),
    '%00',
  ])('the text %j is not accepted as a sealed session', async (text) => {
    expect(await seal.open(text, NOW)).toBeNull()
  })

  it('a session seal needs a secret', () => {
    expect(() => createSessionSeal([])).toThrow()
  })
})
