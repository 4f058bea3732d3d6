import { expect, test } from 'vitest'
import { readAttributeNames } from '../../../src/features/import/attribute-names.ts'

test('names of attributes are read from lines', () => {
  expect(readAttributeNames('email=user_email\n\n plan = tier ')).toEqual({
    attributes: { email: 'user_email', plan: 'tier' },
    problem: null,
  })
  expect(readAttributeNames('').attributes).toEqual({})
})

test('a line of another form, and too many lines, are problems', () => {
  for (const line of ['email', '=a', 'a=', 'a=b=c']) {
    expect(readAttributeNames(`x=y\n${line}`).problem).toContain(`“${line}”`)
  }
  const many = Array.from({ length: 101 }, (_, index) => `a${index}=b`).join('\n')
  expect(readAttributeNames(many).problem).toMatch(/At most 100/)
})
