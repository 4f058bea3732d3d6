import { expect, it } from 'vitest'
import { acceptsGzip } from '../../../src/kernel/accepts-gzip.ts'

it.each([
  'gzip',
  'gzip, deflate, br',
  'br,gzip',
  'GZIP',
  'gzip;q=0.5',
  'br;q=1, gzip;q=0.1',
  '*',
  'br, *;q=0.5',
])('gzip is accepted by %o', (acceptEncoding) => {
  expect(acceptsGzip(acceptEncoding)).toBe(true)
})

it.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.0, *', '*;q=0', 'gzip;q=much'])(
  'gzip is not accepted by %o',
  (acceptEncoding) => {
    expect(acceptsGzip(acceptEncoding)).toBe(false)
  },
)
