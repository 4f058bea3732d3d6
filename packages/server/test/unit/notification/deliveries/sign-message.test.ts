import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signBody, signMessage } from '../../../../src/notification/deliveries/sign-message.ts'

const message = { id: 'evt_1', timestamp: 1_770_804_001, body: '{"a":"ä"}' }
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')
const expected = (keyBase64: string) =>
  new Webhook(keyBase64).sign(message.id, new Date(message.timestamp * 1000), message.body)

describe('the bytes of a signing secret', () => {
  it.each(['whsec_c2VjcmV0', 'whsec_c2VjcmV0cw==', 'whsec_c2VjcmV0czI='])(
    'the bytes of the secret %s are those of its base64',
    (secret) => {
      expect(signMessage(secret, message)).toBe(expected(secret.slice('whsec_'.length)))
    },
  )

  it.each([
    'plain',
    'whsec_',
    'whsec_c2VjcmV0cw',
    'whsec_c2-jcmV0',
    'whsec_no base64',
    'whsec_ä',
    'WHSEC_c2VjcmV0',
    'c2VjcmV0',
  ])('the bytes of the secret %s are its UTF-8 bytes', (secret) => {
    expect(signMessage(secret, message)).toBe(expected(base64(secret)))
  })
})

it('the signature for manual verification is the HMAC-SHA256 of the body alone', () => {
  // printf 'body' | openssl dgst -sha256 -hmac key
  expect(signBody('key', 'body')).toBe(
    'sha256=515aae133b435d4000956731f68ae5cf5eb85d4f0dc6a546d2bfcd3595ec1ae1',
  )
})
