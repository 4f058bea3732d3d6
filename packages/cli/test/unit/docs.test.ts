import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/run-command.ts'
import { renderCommands } from '../harness/render-commands.ts'

const PAGE = new URL('../../../../docs/cli.md', import.meta.url)
const [BEGIN, END] = [
  '<!-- commands: made by packages/cli/test/unit/docs.test.ts -->\n',
  '<!-- end of commands -->\n',
]

test('docs/cli.md lists every command with its options (BURGEE_WRITE_DOCS=1 renews it)', () => {
  const { stderr, stdin, stdout } = process
  const io = { env: {}, cwd: '/', stdin, stdout, stderr, untilStopped: () => Promise.resolve() }
  const wanted = `\n${renderCommands(createProgram(io, '0.1.0', () => undefined))}\n`
  const page = readFileSync(PAGE, 'utf8')
  const [start, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  if (process.env.BURGEE_WRITE_DOCS) writeFileSync(PAGE, page.slice(0, start) + wanted + page.slice(end))
  else expect(page.slice(start, end)).toBe(wanted)
})
