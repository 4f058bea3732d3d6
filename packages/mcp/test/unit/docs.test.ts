import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { LIFECYCLE_TOOLS } from '../../src/tools/lifecycle-tools.ts'
import { READ_TOOLS } from '../../src/tools/read-tools.ts'
import { WRITE_TOOLS } from '../../src/tools/write-tools.ts'

const page = readFileSync(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8')
const tools = [...READ_TOOLS, ...LIFECYCLE_TOOLS, ...WRITE_TOOLS]

test('docs/mcp.md lists every tool with its input, in the order of the server', () => {
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| ((?:`[a-z_]+\??`(?:, )?)+) \|/gm)]
  const listed = rows.slice(0, tools.length).map(([, name, input = '']) => ({
    name,
    input: [...input.matchAll(/`([a-z_]+\??)`/g)].map(([, field]) => field).sort(),
  }))
  expect(listed).toEqual(
    tools.map(({ input, name }) => {
      if (!Type.IsObject(input)) throw new Error(`${name} takes no object`)
      const fields = Object.keys(input.properties).filter((field) => field !== 'project')
      return {
        name,
        input: fields.map((field) => (input.required?.includes(field) ? field : `${field}?`)).sort(),
      }
    }),
  )
})
