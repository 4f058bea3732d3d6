import { describe, expect, it } from 'vitest'
import { findHostProblem } from '../../../../src/http/sockets/host-header.ts'

const problemOf = (value: string) => findHostProblem(['Host', value], '1.1')

describe('the Host header', () => {
  it.each([
    '',
    'x',
    'flags.example.org',
    'flags.example.org:3000',
    '127.0.0.1:80',
    '[::1]',
    '[::1]:3000',
    'x:',
    'a_b',
    'x%20y',
    '[fe80::1%25eth0]',
  ])('the Host header may be %j', (value) => {
    expect(problemOf(value)).toBeNull()
  })

  it.each(['a b', 'a/b', 'http://a', 'a@b', 'a:b', '[::1', '::1', 'a,b c', 'x#y', 'ü', '<x>'])(
    'the Host header may not be %j',
    (value) => {
      expect(problemOf(value)).toMatch(/^The Host header is not/)
    },
  )

  it('the Host header must occur exactly once, and may be missing in HTTP/1.0 only', () => {
    expect(findHostProblem(['Host', 'a', 'host', 'a'], '1.1')).toMatch(/more than one/)
    expect(findHostProblem(['HOST', 'a', 'X-A', 'b', 'hOsT', 'b'], '1.0')).toMatch(/more than one/)
    expect(findHostProblem(['X-Host', 'a', 'Cost', 'b'], '1.1')).toMatch(/no Host header/)
    expect(findHostProblem([], '1.0')).toBeNull()
  })
})
