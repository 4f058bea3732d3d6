import { expect, test } from 'vitest'
import { deriveSetupToken, recoverSetupToken } from '../../../../src/identity/setup/setup-token.ts'
import { hashSecret } from '../../../../src/platform/crypto/hash-secret.ts'

const SECRET = 'the first secret of this installation'
const SEED = 'the seed of this database'

const stored = {
  setup_token_seed: SEED,
  setup_token_hash: hashSecret(deriveSetupToken(SEED, SECRET)),
}

test('every instance with the same secret derives the same set-up token', () => {
  expect(recoverSetupToken(stored, [SECRET])).toBe(deriveSetupToken(SEED, SECRET))
})

test('after a rotation the set-up token is derived with the older secret', () => {
  expect(recoverSetupToken(stored, ['a newer secret', SECRET])).toBe(deriveSetupToken(SEED, SECRET))
})

test('the set-up token cannot be derived from the database without the secret', () => {
  expect(recoverSetupToken(stored, ['another secret'])).toBeNull()
})

test('a set-up token of the operator is never derived', () => {
  expect(
    recoverSetupToken({ setup_token_hash: hashSecret('chosen'), setup_token_seed: null }, [SECRET]),
  ).toBeNull()
})

test('set-up tokens of different databases and secrets differ, and are long and URL-safe', () => {
  const tokens = [
    deriveSetupToken(SEED, SECRET),
    deriveSetupToken('another seed', SECRET),
    deriveSetupToken(SEED, 'another secret'),
  ]

  expect(new Set(tokens).size).toBe(3)
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
})
