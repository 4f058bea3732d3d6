import { describe, expect, test } from 'vitest'
import {
  findProblems,
  NO_VALUES,
  readRefusal,
  toSetupInput,
} from '../../../src/features/setup/setup-values.ts'
import { ApiError } from '../../../src/shared/api/api-error.ts'

const FILLED = {
  workspace_name: ' Acme ',
  project_name: 'Web shop',
  name: 'Ada',
  email: ' ada@example.com ',
  password: ' eight characters ',
}

describe('the set-up form', () => {
  test('sends names without the blanks around them, and the password as it is', () => {
    expect(toSetupInput(FILLED)).toEqual({
      workspace_name: 'Acme',
      project_name: 'Web shop',
      admin: {
        name: 'Ada',
        email: 'ada@example.com',
        password: ' eight characters ',
        password_policy: 'strict',
      },
    })
  })

  test('states what is missing in the step at hand only', () => {
    expect(Object.keys(findProblems(NO_VALUES, 'workspace'))).toEqual(['workspace_name', 'project_name'])
    expect(Object.keys(findProblems(NO_VALUES, 'account'))).toEqual(['name', 'email', 'password'])
    expect(findProblems(FILLED, 'workspace')).toEqual({})
    expect(findProblems(FILLED, 'account')).toEqual({})
  })

  test.each([
    ['email', 'ada'],
    ['email', 'ada @example.com'],
    ['password', '1234567'],
    ['password', '😀'.repeat(7)],
    ['password', 'ä'.repeat(513)],
    ['name', '  '],
    ['name', 'n'.repeat(1_001)],
  ])('refuses as %s: %s', (field, text) => {
    expect(Object.keys(findProblems({ ...FILLED, [field]: text }, 'account'))).toEqual([field])
  })
})

describe('what the server refuses', () => {
  const refusal = (...paths: string[]) =>
    readRefusal(
      new ApiError(422, { error: 'No.', details: paths.map((path) => ({ path, message: 'must not' })) }),
    )

  test('stands at the fields, those of the admin too', () => {
    expect(refusal('/workspace_name', '/admin/email')).toEqual({
      errors: { workspace_name: 'Must not.', email: 'Must not.' },
      hasRest: false,
    })
  })

  test('is told beside them where it is about none', () => {
    expect(refusal('/admin')).toMatchObject({ hasRest: true })
    expect(readRefusal(new ApiError(409, { error: 'Set up already.' }))).toEqual({
      errors: {},
      hasRest: true,
    })
    expect(readRefusal(new Error('lost'))).toEqual({ errors: {}, hasRest: true })
  })
})
