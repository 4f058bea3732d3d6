import { IMPORT_BODY_MAX_BYTES, IMPORT_SYSTEMS } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  addFiles,
  findFileProblem,
  findReadProblem,
  formatBytes,
  importBody,
} from '../../../src/features/import/import-files.ts'
import { findService, IMPORT_SERVICES, type ImportService } from '../../../src/features/import/services.ts'

const flagd = findService('flagd') as ImportService
const file = (name: string, content = '{}') => ({ name, content })

test('every service of the API is offered once', () => {
  expect(IMPORT_SERVICES.map(({ system }) => system).sort()).toEqual([...IMPORT_SYSTEMS].sort())
})

test('files that never name their environment are not called Production', () => {
  expect(importBody(flagd, [file('a')])).toMatchObject({ system: 'flagd', environment: 'these files' })
  expect(importBody(findService('unleash') as ImportService, [file('a')])).not.toHaveProperty('environment')
})

test('a part is asked for only where a person has chosen so', () => {
  expect(importBody(flagd, [file('a')])).not.toHaveProperty('partial')
  expect(importBody(flagd, [file('a')], { isPartial: true })).toMatchObject({ partial: true })
})

test('a file of the same name takes the place of the earlier one', () => {
  const files = addFiles([file('a', '1'), file('b')], [file('a', '2')])
  expect(files).toEqual([file('b'), file('a', '2')])
})

test('the bytes count as they are sent, so that quotes and characters beyond ASCII take more', () => {
  const half = IMPORT_BODY_MAX_BYTES / 2
  expect(findFileProblem(importBody(flagd, [file('a', 'x'.repeat(half))]))).toBeNull()
  expect(findFileProblem(importBody(flagd, [file('a', '"'.repeat(half))]))).toMatch(/at most 4 MiB/)
  expect(findFileProblem(importBody(flagd, [file('a', 'ø'.repeat(half))]))).toMatch(/at most 4 MiB/)
})

test('empty files, too many files and large files are refused with their name or number', () => {
  expect(findFileProblem(importBody(flagd, [file('empty.json', ' \n')]))).toMatch(/empty.json is empty/)
  const many = Array.from({ length: 51 }, (_, index) => file(`${index}.json`))
  expect(findFileProblem(importBody(flagd, many))).toMatch(/51 files/)
  expect(findReadProblem({ name: 'big.json', size: IMPORT_BODY_MAX_BYTES + 1 })).toMatch(
    /^big.json has 4 MiB/,
  )
  expect(findReadProblem({ name: 'small.json', size: 10 })).toBeNull()
})

test('bytes are written for people', () => {
  expect([12, 2048, 1_572_864].map(formatBytes)).toEqual(['12 bytes', '2 KiB', '1.5 MiB'])
})
