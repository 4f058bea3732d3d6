import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHashUser, paddedKeys } from '../../../../src/platform/crypto/user-hash.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const plainHash = (user_id: string) => sha256(Buffer.from(user_id)).subarray(0, 16)

describe('the hash of a user', () => {
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })

  it('the user hash is the first 16 bytes of the HMAC-SHA-256 that Node computes of the plain hash', () => {
    fc.assert(
      fc.property(
        keys,
        fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { minLength: 1, maxLength: 4 }),
        (key, users) => {
          const hashUser = createHashUser(key)
          for (const user of users) {
            const expected = createHmac('sha256', key).update(plainHash(user)).digest().subarray(0, 16)
            expect(hashUser(user).equals(expected)).toBe(true)
          }
        },
      ),
    )
  })

  it('the user hash can be computed from the two padded keys, as SQL does', () => {
    const key = Buffer.alloc(32, 7)
    const { inner, outer } = paddedKeys(key)
    const composed = sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, plainHash('ada')]))]))
    expect(createHashUser(key)('ada')).toEqual(composed.subarray(0, 16))
  })
})
