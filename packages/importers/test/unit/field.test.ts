import { readdirSync, readFileSync } from 'node:fs'
import { decodeText } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  type ImportResult,
  type ImportSystem,
  importFiles,
  parseFile,
  type SourceFile,
} from '../../src/index.ts'
import { compile, verifyFiles } from './harness.ts'

const FOLDER = new URL('../samples/field/', import.meta.url)

interface Case {
  readonly import: { readonly system: ImportSystem; readonly files: readonly string[] }
  readonly flag?: string
  readonly users?: readonly { readonly key: string; readonly attributes: object; readonly right: unknown }[]
  readonly expect?: {
    readonly error?: string
    readonly note?: string
    readonly class?: string
    readonly reported?: string
    readonly verify?: number
    /** Instead of the right values, a class below exact and a note will do. */
    readonly alternative?: string
  }
}

const readCase = (name: string): Case =>
  JSON.parse(readFileSync(new URL(`${name}/case.json`, FOLDER), 'utf8')) as Case

interface Tried {
  readonly files: readonly SourceFile[]
  readonly imported: ImportResult | null
  /** The refusal; empty without one. */
  readonly error: string
}

function tryImport(name: string, { import: { files: names, system } }: Case): Tried {
  const files = names.map((file) =>
    parseFile({ name: file, content: decodeText(readFileSync(new URL(`${name}/${file}`, FOLDER))) }),
  )
  try {
    return { files, imported: importFiles(system, files), error: '' }
  } catch (error) {
    return { files, imported: null, error: String(error) }
  }
}

/** Returns every note of a report, with its code. */
const notesOf = ({ report }: ImportResult): string =>
  [...report.notes, ...report.flags.flatMap(({ notes }) => notes)]
    .map(({ code, message }) => `${code} ${message}`)
    .join('\n')

const CASES = readdirSync(FOLDER)

test.each(CASES)('users get after the import what they got before, or a reason: %s', async (name) => {
  const tried = readCase(name)
  const { error, files, imported } = tryImport(name, tried)
  const { expect: right = {}, flag = '', users = [] } = tried
  if (right.error !== undefined) expect(error).toMatch(new RegExp(right.error))
  // A part is refused with the number that is missing, which is more than a note.
  if (right.note !== undefined) expect(imported ? notesOf(imported) : error).toMatch(new RegExp(right.note))
  if (!imported) return expect(right.error ?? right.note).toBeDefined()
  const set = compile(imported)
  const values = users.map(({ attributes, key, right }) => {
    const { enabled, value } = set.evaluate(flag, { userKey: key, attributes } as never)
    // Null is the default of the code.
    return right === null ? value : (value ?? enabled)
  })
  const { flags } = imported.report
  const isNamed = flags.every((one) => one.class !== 'exact' && one.notes.length > 0)
  if (right.alternative === undefined || !isNamed) expect(values).toEqual(users.map((user) => user.right))
  if (right.class !== undefined) expect(flags.map((one) => one.class)).toEqual([right.class])
  if (right.reported !== undefined) expect(flags.map(({ key }) => key)).toContain(right.reported)
  if (right.verify === undefined) return
  const verified = await verifyFiles(tried.import.system, { count: 400, files, imported })
  expect(verified.filter(({ differences }) => differences > 0)).toEqual([])
})

test('a part is read where a part was asked for, with the number that is missing', () => {
  const file = parseFile({
    name: 'flags.json',
    content: readFileSync(new URL('ld-first-page/flags.json', FOLDER), 'utf8'),
  })
  const { report } = importFiles('launchdarkly', [file], { isPartial: true })
  expect(report.notes).toMatchObject([
    { code: 'partial', message: expect.stringContaining('249 are missing') },
  ])
  expect(report.flags).toMatchObject([{ key: 'menu', class: 'exact' }])
})
