import { describe, expect, it } from 'vitest'
import { createAddressMask } from '../../../../src/notification/deliveries/address-mask.ts'

const URL_OF_CHAT =
  'https://chat.example.com/hooks/TEAM%2DSECRET/a-b%C3%A9-segment?token=query&secret&code=other=%26value'
const mask = createAddressMask(URL_OF_CHAT)
const answered = (response_body: string, error: string | null = null) =>
  mask.mask({ status_code: 404, response_body, error })
const logged = (response_body: string) => answered(response_body).response_body

describe("the masking of a chat's address", () => {
  it.each([
    ['the whole address', `no ${URL_OF_CHAT} here`],
    ['a segment as it stands', 'no TEAM%2DSECRET here'],
    ['a segment decoded', 'no TEAM-SECRET here'],
    ['a segment with other characters decoded', 'no a-bé-segment here'],
    ['a value of the query as it stands', 'no other=%26value here'],
    ['a value of the query decoded', 'no other=&value here'],
    ['a value as JSON', String.raw`no other=\u0026value here`],
    ['a value as JSON that escapes more', String.raw`no \u006fther\u003d\u0026value here`],
    ['a value as HTML', 'no other=&amp;value here'],
    ['a value as HTML with numbers', 'no other&#61;&#x26;value here'],
  ])('a logged response does not contain %s', (_what, text) => {
    expect(logged(text)).toBe('no •••••• here')
    expect(answered('', text).error).toBe('no •••••• here')
  })

  it('a logged response does not contain the path as JSON with escaped slashes', () => {
    expect(logged(String.raw`{"path":"\/hooks\/TEAM-SECRET\/a-b\u00e9-segment"}`)).toBe('{"path":"••••••"}')
  })

  it('a logged response keeps words that are too short to be a secret, and everything else', () => {
    expect(logged('query of hooks & more: a%20b &lt; \\"c\\"')).toBe(
      'query of hooks & more: a%20b &lt; \\"c\\"',
    )
  })

  it('a logged response does not contain the start of a secret where it broke off', () => {
    expect(logged('no TEAM-SECR')).toBe('no ••••••')
    expect(logged('no other=\\u0026val')).toBe('no ••••••')
    expect(logged('no TEAM-SECR%4')).toBe('no ••••••')
  })

  it('a logged response has at most 500 characters, and as many more as an address are examined', () => {
    expect(mask.responseMaxCharacters).toBe(500 + URL_OF_CHAT.length)
    const text = logged('TEAM-SECRET '.repeat(400)) ?? ''
    expect([...text]).toHaveLength(500)
    expect(text).not.toContain('TEAM')
  })

  it('overlapping parts of the address are masked together', () => {
    const overlapping = createAddressMask('https://chat.example.com/aaaaaaaabb/bbaaaaaaaa')
    const { response_body } = overlapping.mask({
      status_code: 404,
      response_body: 'aaaaaaaabbaaaaaaaa',
      error: null,
    })
    expect(response_body).toBe('••••••')
  })

  it('addresses of any length can be masked', () => {
    const long = `https://chat.example.com/${'x'.repeat(60_000)}`
    expect(
      createAddressMask(long).mask({ status_code: 404, response_body: long, error: null }).response_body,
    ).toBe('••••••')
  })
})
