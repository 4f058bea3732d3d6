import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { applyFileSchema } from '../../src/index.ts'

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, allowUnionTypes: true })
formatsPlugin.default(ajv)
const validate = ajv.compile(applyFileSchema())

const document = (fields: object) => ({ apiVersion: 'burgee/v1', ...fields })
const problemsOf = (value: unknown): string[] => {
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, params }) => `${instancePath} ${JSON.stringify(params)}`,
  )
}

test('the schema accepts the files of docs/cli.md', () => {
  const page = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8')
  const files = [...page.matchAll(/```yaml\n(apiVersion: [\s\S]+?)```/g)].map(([, text = '']) => text)
  expect(files.length).toBeGreaterThan(0)
  for (const text of files) {
    for (const one of parseAllDocuments(text)) expect(problemsOf(one.toJS())).toEqual([])
  }
})

test('the schema accepts a list of documents, and fields that only a creation sets', () => {
  const flags = [{ key: 'a', rules: null, create: { is_enabled: false } }]
  const segments = [{ key: 'beta', name: 'Beta', rules: [], included_keys: ['u1'] }]
  expect(problemsOf([document({ flags }), document({ environment: 'staging', segments })])).toEqual([])
})

test.each([
  ['a mistyped field of a flag', { flags: [{ key: 'a', rollout_percntage: 5 }] }, 'rollout_percntage'],
  ['a mistyped field of a creation', { flags: [{ key: 'a', create: { enabled: true } }] }, 'enabled'],
  ['a mistyped field of a segment', { segments: [{ key: 'b', include_keys: [] }] }, 'include_keys'],
  ['a mistyped field of the document', { enviroment: 'staging' }, 'enviroment'],
  ['a percentage that is a text', { flags: [{ key: 'a', rollout_percentage: '25' }] }, 'rollout_percentage'],
  ['a flag without a key', { flags: [{ is_enabled: true }] }, 'key'],
  ['another version of the format', { apiVersion: 'burgee/v2' }, 'apiVersion'],
])('the schema refuses %s', (_, fields, named) => {
  expect(problemsOf(document(fields)).join('\n')).toContain(named)
})
