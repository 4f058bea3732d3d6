import { expect, test } from 'vitest'
import { generateWebhookSecret } from '../../../src/features/webhooks/generate-webhook-secret.ts'
import { secretToSend } from '../../../src/features/webhooks/secret-choice.ts'

test('a generated secret is whsec_ and the base64 of 24 to 64 bytes', () => {
  const secret = generateWebhookSecret()
  const bytes = atob(secret.slice('whsec_'.length))

  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
  expect(bytes.length).toBeGreaterThanOrEqual(24)
  expect(bytes.length).toBeLessThanOrEqual(64)
  expect(generateWebhookSecret()).not.toBe(secret)
})

test('a secret that is kept is not sent, one that is removed is sent as null', () => {
  expect(secretToSend({ kind: 'keep' })).toEqual({})
  expect(secretToSend({ kind: 'remove' })).toEqual({ secret: null })
  expect(secretToSend({ kind: 'set', text: 'hush', isGenerated: false })).toEqual({ secret: 'hush' })
})
