import { expect, it } from 'vitest'
import { maskBareSecrets, redactUrl } from '../../../../src/platform/log/redact-url.ts'

it.each([
  ['/stream?%73dk_key=abc', '/stream?%73dk_key=[redacted]'],
  ['/stream?%2573dk_key=abc', '/stream?%2573dk_key=[redacted]'],
  ['/reports?user_id=ada%40example.com', '/reports?user_id=[redacted]'],
  ['/stream?sdk_key[]=abc', '/stream?sdk_key[]=[redacted]'],
  ['/stream#sdk_key=abc', '/stream#sdk_key=[redacted]'],
  ['/x?next=/stream?sdk_key=abc', '/x?next=[redacted]'],
  ['/x?next=%2Fstream%3Fsdk_key%3Dabc', '/x?next=[redacted]'],
  ['/x?k=%73k_live_abcdef', '/x?k=[redacted]'],
  ['/x/%73k_live_abcdef/y', '/x/[redacted]/y'],
  ['/x/%2573k_live_abcdef/y', '/x/[redacted]/y'],
  ['/x?sk_live_abcdef', '/x?sk_live_[redacted]'],
  ['/x?sk_live_abcdef=1', '/x?sk_live_[redacted]=1'],
  ['/x/y_sk_live_0123456789abcdef', '/x/y_sk_live_[redacted]'],
])('a credential in %s is masked in any encoding', (url, written) => {
  expect(redactUrl(url)).toBe(written)
})

it.each([
  '/api/environments/5b1b1f1e-1111-4111-8111-111111111111/flags/compat_mode?limit=20&q=a%20b',
  '/flags/update_path?flag_key=one',
  '/x?next=%2Fflags%3Fflag_key%3Done',
  '/x/%zz?a=%&b',
])('%s contains no credential and is unchanged', (url) => {
  expect(redactUrl(url)).toBe(url)
})

it('a long URL is cut first, and nothing of a credential is left at the cut', () => {
  const long = `/x?a=${'b'.repeat(1_980)}&sdk_key=${'c'.repeat(15_000)}`
  expect(redactUrl(long)).toBe(`/x?a=${'b'.repeat(1_980)}&sdk_key=[redacted]…`)
  expect(redactUrl(`/${'sk_live_'.repeat(2_000)}`).length).toBeLessThan(2_100)
})

it('a sealed session is masked in any text', () => {
  const sealed = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aWYtdGhhdA.Y2lwaGVy.dGFn'
  expect(maskBareSecrets(`cookie ${sealed} was odd`)).toBe('cookie [redacted] was odd')
})
