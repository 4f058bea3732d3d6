import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { aProgram } from '../harness/a-program.ts'
import { renderCommands } from '../harness/render-commands.ts'

const PAGE = new URL('../../../../docs/cli.md', import.meta.url)
const [BEGIN, END] = [
  '<!-- commands: made by packages/cli/test/unit/docs.test.ts -->\n',
  '<!-- end of commands -->\n',
]

test('docs/cli.md lists every command with its options (BURGEE_WRITE_DOCS=1 renews it)', () => {
  const wanted = `\n${renderCommands(aProgram())}\n`
  const page = readFileSync(PAGE, 'utf8')
  const [start, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  if (process.env.BURGEE_WRITE_DOCS) writeFileSync(PAGE, page.slice(0, start) + wanted + page.slice(end))
  else expect(page.slice(start, end)).toBe(wanted)
})
