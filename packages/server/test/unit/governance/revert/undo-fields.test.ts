import { expect, it } from 'vitest'
import { undoFields } from '../../../../src/governance/revert/undo-fields.ts'

const many = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name}-${at}`)

it('tags are undone as a set: others that came later stay', () => {
  const change = { before: { tags: ['a', 'b'] }, after: { tags: ['b', 'c'] } }
  expect(undoFields(change, { tags: ['b', 'c', 'd'] })).toEqual({
    next: { tags: ['b', 'd', 'a'] },
    conflicts: [],
  })
  expect(undoFields(change, { tags: ['b'] }).conflicts).toMatchObject([{ field: 'tags' }])
  expect(undoFields(change, { tags: ['a', 'b', 'c'] }).conflicts).toMatchObject([{ field: 'tags' }])
})

it('tags are looked up in sets, and never searched in a list', () => {
  const searched = (tags: string[]) =>
    Object.defineProperty(tags, 'includes', {
      value: () => {
        throw new Error('a list was searched')
      },
    })
  const [old, left] = [searched(many('old')), searched(many('new'))]
  const actual = searched([...many('new'), 'later'])
  const undone = undoFields({ before: { tags: old }, after: { tags: left } }, { tags: actual })
  expect(undone.next?.tags).toEqual(['later', ...many('old')])
})
