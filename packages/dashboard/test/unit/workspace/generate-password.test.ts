import { PASSWORD_MIN_LENGTH } from '@burgee/contract'
import { expect, test } from 'vitest'
import { generatePassword } from '../../../src/features/workspace/users/generate-password.ts'

test('a generated password is long enough, can be read out, and is another one each time', () => {
  const passwords = Array.from({ length: 50 }, generatePassword)

  expect(new Set(passwords).size).toBe(50)
  for (const password of passwords) {
    expect(password.length).toBeGreaterThan(PASSWORD_MIN_LENGTH)
    expect(password).toMatch(/^[a-zA-Z2-9]{5}(-[a-zA-Z2-9]{5}){3}$/)
    expect(password).not.toMatch(/[0O1lI]/)
  }
})
