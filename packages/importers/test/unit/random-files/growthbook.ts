import fc from 'fast-check'
import type { RandomFiles } from './random-files.ts'

const POOLS: RandomFiles['pools'] = {
  $user_key: ['user-1', 'user-2', 'user-3'],
  plan: ['pro', 'team', 'free', 'prom', 'Pro'],
  age: [17, 18, 19, 2.5, -1, 0],
  version: ['2.1.0', '2.0.9', '2.1.1', '2.1.0-beta', '10.0.0'],
  company: ['a', 'b', 'c', 'd', '', 0, false],
  beta: [true, false],
  tags: [['a', 'b'], ['b'], ['c', 'pro']],
}
const sub = (values: readonly unknown[]) => fc.array(fc.constantFrom(...values), { maxLength: 3 })
const textOp = fc.oneof(
  fc.constantFrom('pro', 'team', null),
  sub(['pro', 'team']).map(($in) => ({ $in })),
  sub(['pro', 'team']).map(($nin) => ({ $nin })),
  fc.constantFrom(
    { $eq: 'pro' },
    { $ne: 'pro' },
    { $ne: null },
    { $regex: '^p' },
    { $regex: 'O$' },
    { $regexi: 'PRO' },
    { $notRegex: '^p' },
    { $exists: true },
    { $exists: false },
    { $not: { $eq: 'pro' } },
    { $not: { $in: ['pro', 'x'] } },
    { $ini: ['PRO', 'Team', null] },
    { $nini: ['PRO', 7] },
    { $not: { $ini: [] } },
    { $inGroup: 'list' },
    { $notInGroup: 'condition' },
    { $inGroup: 'g1' },
    { $notInGroup: 'g1' },
    { $inGroup: 'gone' },
  ),
)
const numOp = fc.oneof(
  fc.constantFrom(18, 0, 2.5),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq', '$ne'), fc.constantFrom(18, 0, -1))
    .map(([o, x]) => ({ [o]: x })),
  fc.constant({ $gt: 17, $lt: 19 }),
)
const { cond } = fc.letrec((tie) => ({
  cond: fc.oneof(
    { maxDepth: 2 },
    textOp.map((x) => ({ plan: x })),
    textOp.map((x) => ({ id: typeof x === 'object' && x && '$inGroup' in x ? { $inGroup: 'ids' } : x })),
    numOp.map((x) => ({ age: x })),
    fc.boolean().map((x) => ({ beta: x })),
    fc.constantFrom(
      { beta: { $ne: true } },
      { tags: { $elemMatch: { $eq: 'a' } } },
      { tags: { $all: ['a', 'b'] } },
      { tags: { $alli: ['A', 'b'] } },
      { $savedGroup: { id: 'list' } },
      { $savedGroup: { id: 'list', attributeKey: 'company' } },
      { $savedGroup: { id: 'condition' } },
      { tags: { $in: ['a', 'pro'] } },
      { tags: { $nin: ['a'] } },
      { tags: { $size: 2 } },
      { plan: { $type: 'string' } },
    ),
    fc
      .tuple(
        fc.constantFrom('$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte'),
        fc.constantFrom('2.1.0', '2.1.0-beta'),
      )
      .map(([o, x]) => ({ version: { [o]: x } })),
    fc.array(tie('cond'), { maxLength: 2 }).map(($or) => ({ $or })),
    fc.array(tie('cond'), { maxLength: 2 }).map(($and) => ({ $and })),
    fc.array(tie('cond'), { maxLength: 2 }).map(($nor) => ({ $nor })),
    tie('cond').map(($not) => ({ $not })),
    fc.constant({}),
  ),
}))
const VALUES = [
  [true, false, true],
  ['a', 'b', 'c'],
  [1, 2, 3],
  [{ a: 1 }, { b: 1 }, null],
  [1.5, 2, 3],
]
const feature = fc.nat(4).chain((kind) => {
  const value = fc.constantFrom(...(VALUES[kind] as readonly unknown[]))
  const hash = {
    hashAttribute: fc.option(fc.constantFrom('id', 'company', 'plan'), { nil: undefined }),
    hashVersion: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
    seed: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
  }
  return fc.record({
    defaultValue: value,
    rules: fc.array(
      fc.oneof(
        fc.record({ condition: cond, force: value }, { requiredKeys: ['force'] }),
        fc.record(
          { condition: cond, force: value, coverage: fc.constantFrom(0, 0.1, 0.5, 0.333, 1), ...hash },
          { requiredKeys: ['force', 'coverage'] },
        ),
        fc.record(
          {
            condition: cond,
            key: fc.constantFrom('exp1', 'exp2'),
            variations: fc.array(value, { minLength: 2, maxLength: 2 }),
            coverage: fc.option(fc.constantFrom(1, 0.5), { nil: undefined }),
            weights: fc.option(fc.constantFrom([0.5, 0.5], [0.3, 0.7], [1, 0]), {
              nil: undefined,
            }),
            ...hash,
            phase: fc.constant('0'),
            active: fc.option(fc.boolean(), { nil: undefined, freq: 8 }),
          },
          { requiredKeys: ['variations', 'key'] },
        ),
        fc.record({
          parentConditions: fc.array(
            fc.record({
              id: fc.constantFrom('f0', 'f1'),
              condition: fc.constantFrom(
                { value: true },
                { value: 'a' },
                { value: 1 },
                { value: { $exists: true } },
                { value: { $ne: 'b' } },
              ),
              gate: fc.constantFrom(true, false),
            }),
            { minLength: 1, maxLength: 1 },
          ),
        }),
        fc.record({
          force: value,
          parentConditions: fc.constant([{ id: 'f0', condition: { value: true } }]),
        }),
      ),
      { maxLength: 3 },
    ),
  })
})
const file = fc.array(feature, { minLength: 1, maxLength: 3 }).map((features) => ({
  features: Object.fromEntries(
    features.map((f, i) => [
      `f${i}`,
      {
        ...f,
        rules: f.rules
          .map((r) =>
            'parentConditions' in r
              ? { ...r, parentConditions: r.parentConditions.filter((p) => Number(p.id.slice(1)) < i) }
              : r,
          )
          .filter((r) => !('parentConditions' in r) || r.parentConditions.length > 0),
      },
    ]),
  ),
  savedGroups: {
    ...{ g1: ['pro', 'a'], ids: ['user-1', 'user-2'] },
    list: { type: 'list', attributeKey: 'plan', values: ['pro', 'a'] },
    condition: { type: 'condition', condition: { plan: { $in: ['pro', 'team'] }, age: { $gt: 17 } } },
  },
}))

/** Files of GrowthBook whose parts have the right types, and users with values that these name. */
export const GROWTHBOOK_FILES: RandomFiles = { file, pools: POOLS }
