import { expect, it } from 'vitest'
import { type Endpoint, endpoints } from '../../src/index.ts'

const paged = Object.entries<Endpoint>(endpoints).filter(([, { listedBy }]) => listedBy !== undefined)

it.each(paged)('the items of %s have the field that its cursor names', (_, { listedBy, responses }) => {
  // Without the field, each page would start at the beginning of the list.
  expect(Object.keys(Object(responses[200]).items.properties)).toContain(listedBy)
})
