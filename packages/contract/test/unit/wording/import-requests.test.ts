import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  describeImportRequests,
  IMPORT_REQUESTS,
  IMPORT_SYSTEMS,
  withoutImportCommands,
} from '../../../src/index.ts'

const PAGE = readFileSync(new URL('../../../../../docs/import.md', import.meta.url), 'utf8')

test('docs/import.md has the commands of each service as they are', () => {
  const commands = Object.values(IMPORT_REQUESTS).flatMap(({ command }) => command ?? [])
  expect(commands.filter((command) => !PAGE.includes(`\`\`\`sh\n${command}\n\`\`\``))).toEqual([])
})

test('a refusal names the files, and the commands on lines of their own', () => {
  for (const system of IMPORT_SYSTEMS) {
    const { command, files } = IMPORT_REQUESTS[system]
    const [first, ...lines] = describeImportRequests(system).split('\n')
    expect(first).toContain(files)
    expect(lines.join('\n')).toBe(command ?? '')
    expect(withoutImportCommands(describeImportRequests(system))).toBe(`Give ${files}.`)
  }
})
