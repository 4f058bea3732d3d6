import { describe, expect, test } from 'vitest'
import { listFunctions } from '../scripts/check-functions.mjs'

const linesOf = (text: string, file = 'a.ts') =>
  listFunctions(text, file).map(({ lines, name }) => [name, lines])

describe('check-functions', () => {
  test('check-functions counts lines of JSX, and neither blank lines nor comments', () => {
    const text = `
function Page() {
  // A comment.

  /**
   * Another.
   */
  return (
    <main>
      <p>
        Text
      </p>
    </main>
  )
}
`
    expect(linesOf(text, 'page.tsx')).toEqual([['Page', 9]])
  })

  test('check-functions does not count the lines of a statement of SQL', () => {
    const text = 'const read = (db) =>\n  sql`\n    select 1\n    from a\n  `.execute(db)\n'
    expect(linesOf(text)).toEqual([['read', 3]])
  })

  test('check-functions counts a function within another for both, and sees who is exempt', () => {
    const text = `
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: shared state.
export function createOuter() {
  const inner = () => {
    return 1
  }
  return inner
}
`
    const found = listFunctions(text, 'a.ts')
    expect(found.map(({ isExempt, lines, name }) => [name, lines, isExempt])).toEqual([
      ['createOuter', 6, true],
      ['inner', 3, false],
    ])
  })
})
