import { expect, test } from 'vitest'
import { ApiError } from '../../../src/shared/api/api-error.ts'
import { fieldErrors, requireFilled } from '../../../src/shared/forms/field-errors.ts'

const refusal = (...details: { path: string; message: string }[]) =>
  new ApiError(422, { error: 'It does not fit.', details })

test('what the server states of a field stands below it, as a sentence', () => {
  const error = refusal({ path: '/url', message: 'must begin with https://' })

  expect(fieldErrors(error, ['name', 'url'])).toEqual({
    errors: { url: 'Must begin with https://.' },
    hasRest: false,
  })
})

test('the first problem of a field is enough, wherever in it the problem is', () => {
  const error = refusal(
    { path: '/events/0', message: 'Unknown event.' },
    { path: '/events/1', message: 'Unknown event, too.' },
  )

  expect(fieldErrors(error, ['events']).errors).toEqual({ events: 'Unknown event.' })
})

test('problems of no field of the form, and other failures, are left for the whole form', () => {
  expect(fieldErrors(refusal({ path: '', message: 'No.' }), ['name']).hasRest).toBe(true)
  expect(fieldErrors(refusal({ path: '/other', message: 'No.' }), ['name']).hasRest).toBe(true)
  expect(fieldErrors(new ApiError(409, { error: 'Taken.' }), ['name'])).toEqual({
    errors: {},
    hasRest: true,
  })
})

test('blank fields are refused by name', () => {
  const check = () =>
    requireFilled([
      ['name', ' \t', 'Enter a name.'],
      ['url', 'https://example.com', 'State where.'],
    ])

  expect(check).toThrow(ApiError)
  try {
    check()
  } catch (error) {
    expect(fieldErrors(error, ['name', 'url']).errors).toEqual({ name: 'Enter a name.' })
  }
})
