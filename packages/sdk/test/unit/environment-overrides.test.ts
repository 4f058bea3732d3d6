import { expect, it } from 'vitest'
import { environmentOverrides } from '../../src/node/environment-overrides.ts'

function read(env: Record<string, string>): { values: object; warnings: string[] } {
  const warnings: string[] = []
  const files: Record<string, string> = { './forced.json': '{"theme": "dark"}', './list.json': '[1]' }
  const values = environmentOverrides({
    env,
    warn: (message) => void warnings.push(message),
    readFile(path) {
      const text = files[path]
      if (text === undefined) throw new Error(`ENOENT: ${path}`)
      return text
    },
  })
  return { values, warnings }
}

it('overrides come from JSON or from a file, and are announced', () => {
  expect(read({ BURGEE_OVERRIDES: ' {"on": true, "limits": {"a": 1}}' })).toEqual({
    values: { on: true, limits: { a: 1 } },
    warnings: ['BURGEE_OVERRIDES forces flags in this process: on, limits'],
  })
  expect(read({ BURGEE_OVERRIDES: './forced.json', NODE_ENV: 'development' }).values).toEqual({
    theme: 'dark',
  })
  expect(read({})).toEqual({ values: {}, warnings: [] })
})

it('production ignores overrides with a warning, and tests silently', () => {
  expect(read({ BURGEE_OVERRIDES: '{"on": true}', NODE_ENV: 'production' })).toEqual({
    values: {},
    warnings: ['BURGEE_OVERRIDES is ignored, because NODE_ENV is production.'],
  })
  expect(read({ BURGEE_OVERRIDES: '{"on": true}', NODE_ENV: 'test' })).toEqual({ values: {}, warnings: [] })
})

it.each([
  ['{"on": tr', 'SyntaxError'],
  ['./missing.json', 'ENOENT'],
  ['./list.json', 'no JSON object'],
  [`{"a": "${'x'.repeat(1_048_576)}"}`, 'characters'],
])('overrides that cannot be read are ignored with a warning', (given, reason) => {
  const { values, warnings } = read({ BURGEE_OVERRIDES: given })

  expect([values, warnings]).toEqual([{}, [expect.stringContaining(reason)]])
})
