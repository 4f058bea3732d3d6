import { createFlagSet } from '@burgee/evaluation'
import { expect, test } from 'vitest'
import { evaluateMoment } from '../../src/insight/evaluate/evaluate-moment.ts'

const flag = (key: string, requires: readonly string[] = []) => ({
  key,
  is_enabled: true,
  prerequisites: requires.map((flag_key) => ({ flag_key, required_value: null })),
})

test('named flags are explained with their prerequisites as they were when a response began', async () => {
  const flags = createFlagSet([
    flag('base'),
    flag('middle', ['base', 'none']),
    flag('top', ['middle', 'base']),
  ])
  flags.upsert(flag('middle', ['base']))
  const moment = { environment_id: 'environment', revision: 1, flags, keys: () => [...flags.keys()] }
  const explained = () =>
    evaluateMoment(moment, {
      keys: ['top', 'unknown', 'base'],
      userKey: 'user',
      attributes: {},
      withTrace: true,
    })
  const expected = read((await explained()).items)
  const { items, keep } = await explained()
  keep()
  moment.revision += 1
  flags.upsert({ ...flag('base'), is_enabled: false })
  flags.remove('middle')
  flags.upsert(flag('unknown'))

  const kept = read(items)

  expect(kept).toEqual(expected)
  expect(kept.map(({ reason }) => reason)).toEqual(['STATIC', 'STATIC', 'FLAG_NOT_FOUND'])
})

const read = (items: Iterator<string>): { readonly reason: string }[] => {
  const found = []
  for (let next = items.next(); !next.done; next = items.next()) found.push(JSON.parse(next.value))
  return found
}
