import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ADVISORY_LOCKS } from '../../../src/platform/db/advisory-locks.ts'
import { packageFile } from '../../../src/platform/package-file.ts'

it('each kind of work has its own advisory lock', () => {
  const numbers = Object.values(ADVISORY_LOCKS)
  expect(new Set(numbers).size).toBe(numbers.length)
})

it('every statement takes its advisory lock from the list', async () => {
  const source = join(packageFile('migrations'), '../src')
  const files = (await filesIn(source, '.ts')).filter((file) => !file.includes('embedded'))
  const found: string[] = []
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    // `lock` is a parameter, which its callers take from the list.
    for (const [, argument = ''] of text.matchAll(/advisory_(?:xact_)?(?:un)?lock\(([^)]*)\)/g))
      if (!/ADVISORY_LOCKS\.|\{lock\}/.test(argument)) found.push(`${file}: ${argument}`)
  }
  expect(found).toEqual([])
})

async function filesIn(folder: string, ending: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries.filter((name) => name.endsWith(ending)).map((name) => join(folder, name))
}
