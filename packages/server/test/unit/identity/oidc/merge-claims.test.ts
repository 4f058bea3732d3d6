import { describe, expect, it } from 'vitest'
import { lacksClaims, readIdentity } from '../../../../src/identity/oidc/identity.ts'
import { mergeClaims } from '../../../../src/identity/oidc/merge-claims.ts'

const TENANT = 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0'
const read = (idToken: object, userInfo: object) =>
  readIdentity(mergeClaims({ iss: TENANT, sub: 'ada', ...idToken }, { sub: 'ada', ...userInfo }), 'groups')

describe('an address and its verification come from one place', () => {
  it.each([
    ['the ID token verifies another address than that of the user info', { email: 'a@x.example' }],
    ['the ID token verifies no address', {}],
  ])('%s: the address of the user info is not verified', (_what, idToken) => {
    const withClaim = { ...idToken, email_verified: undefined, xms_edov: undefined }
    expect(read({ ...withClaim }, { email: 'ceo@victim.example' })?.isEmailVerified).toBe(false)
    const crossed = read({ xms_edov: true }, { email: 'ceo@victim.example' })
    expect(crossed).toMatchObject({ email: 'ceo@victim.example', isEmailVerified: false })
  })

  it('xms_edov of the user info does not verify an address of the ID token', () => {
    const crossed = read({ email: 'ceo@victim.example', email_verified: false }, { xms_edov: true })
    expect(crossed).toMatchObject({ email: 'ceo@victim.example', isEmailVerified: false })
    const alone = read({ email: 'ceo@victim.example' }, { xms_edov: true })
    expect(alone).toMatchObject({ email: 'ceo@victim.example', isEmailVerified: false })
  })

  it('an address with xms_edov in the ID token wins over an address of the user info', () => {
    const own = read({ email: 'ada@x.example', xms_edov: '1' }, { email: 'ceo@victim.example' })
    expect(own).toMatchObject({ email: 'ada@x.example', isEmailVerified: true })
    expect(lacksClaims({ email: 'ada@x.example', xms_edov: true, groups: [] }, 'groups')).toBe(false)
  })

  it('xms_edov of another issuer than Entra ID verifies nothing', () => {
    const claims = { iss: 'https://login.microsoftonline.com.attacker.example/', email: 'a@x.example' }
    expect(readIdentity({ ...claims, sub: 'a', xms_edov: true }, 'groups')?.isEmailVerified).toBe(false)
  })
})
