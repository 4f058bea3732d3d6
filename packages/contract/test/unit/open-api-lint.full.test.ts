import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { endpoints, openApiDocument } from '../../src/index.ts'

/** The linter's strict rules, with changes where our standards are higher. */
const RULES: Parameters<typeof createConfig>[0] = {
  extends: ['recommended-strict'],
  rules: {
    'no-invalid-media-type-examples': 'error',
    'no-invalid-schema-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    'no-required-schema-properties-undefined': 'error',
    'no-unused-components': 'error',
    'operation-description': 'error',
    'parameter-description': 'error',
    'path-excludes-patterns': { severity: 'error', patterns: ['\\/$', '\\?', '#'] },
    'tag-description': 'error',
    'operation-singular-tag': 'error',
    // Four operations have no errors and no input: /health, /ready, the name of the workspace and the ways to
    // sign in. Our own
    // tests compare the errors of every operation with its access and input.
    'operation-4xx-response': 'off',
    // The start of a login at an identity provider is a redirect.
    'operation-2xx-response': 'off',
  },
}

const lint = async (document: unknown) => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig(RULES),
  })
  return problems.map(({ location, message, ruleId }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

const document = openApiDocument(endpoints, { version: '1.2.3' })

/** A generous timeout for a busy machine: the linter compiles every schema. */
const PATIENCE = { timeout: 60_000 }

it('the OpenAPI document passes the linter', PATIENCE, async () => {
  expect(await lint(document)).toEqual([])
})

it('the linter reports a wrong description or example', PATIENCE, async () => {
  const { schemas } = document.components
  const broken = {
    ...document,
    tags: document.tags.map(({ name }) => ({ name })),
    components: {
      ...document.components,
      schemas: { ...schemas, Member: { ...schemas.Member, examples: [{ user_id: 'two' }] } },
    },
  }
  const rules = (await lint(broken)).map((problem) => problem.split(':')[0])
  expect(new Set(rules)).toEqual(new Set(['tag-description', 'no-invalid-schema-examples']))
})
