import { describe, expect, test } from 'vitest'
import { EXTENSIONS, listRequirements, type TargetingRule } from '../../src/index.ts'
import { aFlag, aRule, aStringFlag, weighted } from './builders.ts'

const ofRule = (stated: Partial<TargetingRule>) => listRequirements(aFlag({ rules: [aRule(stated)] }))

describe('the extensions that a flag requires', () => {
  test('a flag without extensions requires nothing', () => {
    expect(listRequirements({ key: 'flag', is_enabled: true })).toEqual([])
    expect(listRequirements(aStringFlag({ rules: [aRule()], variants: weighted(1, 1) }))).toEqual([])
    expect(ofRule({ operator: 'matches', values: ['a'] })).toEqual([])
  })

  test.each<[string, Record<string, unknown>, string[]]>([
    ['rollout_thousandths', { rollout_thousandths: 0 }, ['thousandths']],
    ['bucket_by', { bucket_by: 'company' }, ['bucket_by']],
    ['bucket_by of the user key', { bucket_by: '$user_key' }, ['bucket_by', 'user_key']],
    ['rollout_salt', { rollout_salt: '' }, ['salt']],
    ['variant_salt', { variant_salt: 'x' }, ['salt']],
    ['hash', { hash: 'growthbook_2' }, ['hash:growthbook_2']],
    ['fields with their defaults', { hash: 'murmur3', bucket_by: null, rollout_salt: null }, []],
    ['labels', { variant_names: { on: 'on' }, metadata: { a: 1 } }, []],
  ])('%s', (_title, stated, expected) => {
    expect(listRequirements(aFlag(stated))).toEqual(expected)
  })

  test.each<[string, Partial<TargetingRule>, string[]]>([
    ['off', { off: true }, ['off']],
    ['off with its default', { off: false }, []],
    ['rollout_percentage', { rollout_percentage: 100 }, ['rule_rollout']],
    ['rollout_thousandths', { rollout_thousandths: 1 }, ['rule_rollout', 'thousandths']],
    ['variants', { variants: weighted(1), variant_salt: 'x' }, ['rule_variants', 'salt']],
    ['no variants', { variants: [] }, []],
    ['bucket_by and hash', { bucket_by: 'a', hash: 'configcat' }, ['bucket_by', 'hash:configcat']],
    ['the user key', { attribute: '$user_key' }, ['user_key']],
    [
      'the user key in a condition',
      { conditions: [{ attribute: '$user_key', operator: 'is_set', values: [] }] },
      ['user_key'],
    ],
    ['a test that always holds', { attribute: '$none', operator: 'is_not_set', values: [] }, ['user_key']],
    ['another attribute with a dollar', { attribute: '$plan' }, []],
  ])('of a rule: %s', (_title, stated, expected) => {
    expect(ofRule(stated)).toEqual(expected)
  })

  test('each is named once, sorted, and is one of the known', () => {
    const rules = [aRule({ off: true, hash: 'launchdarkly' }), aRule({ off: true, bucket_by: 'a' })]
    const required = listRequirements(aFlag({ rules, rollout_thousandths: 1500 }))
    expect(required).toEqual(['bucket_by', 'hash:launchdarkly', 'off', 'thousandths'])
    expect(EXTENSIONS).toEqual(expect.arrayContaining(required))
  })
})
