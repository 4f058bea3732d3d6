import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../harness/paths.mjs'
import { fiftyRules, fourVariants, threeRules } from '../scenarios.mjs'

const asRule = (rule) => ({ ...rule, operator: 'equals' })

export const flags = [
  { key: 'boolean', is_enabled: true },
  { key: 'rollout', is_enabled: true, rollout_percentage: 30 },
  { key: 'rules', is_enabled: true, rollout_percentage: 0, rules: threeRules.map(asRule) },
  {
    key: 'variants',
    is_enabled: true,
    flag_type: 'string',
    variants: fourVariants.map((value) => ({ weight: 25, value })),
  },
  { key: 'prerequisite', is_enabled: true, prerequisites: [{ flag_key: 'boolean' }] },
  { key: 'fifty', is_enabled: true, rollout_percentage: 0, rules: fiftyRules.map(asRule) },
]

/** The evaluation package of a checkout alone. */
export async function createContestant(root = ROOT) {
  const require = createRequire(join(root, 'package.json'))
  const { createFlagSet } = await import(pathToFileURL(require.resolve('@burgee/evaluation')).href)
  const set = createFlagSet(flags)
  const ask = (flagKey) => ({
    prepare: (user) => user,
    ask: (user) => set.resolve(flagKey, user.key, user.attributes).value,
  })
  const file = join(root, 'packages', 'evaluation', 'package.json')
  return {
    name: 'Burgee',
    version: JSON.parse(readFileSync(file, 'utf8')).version,
    questions: {
      boolean: ask('boolean'),
      rollout: ask('rollout'),
      rules: ask('rules'),
      variants: ask('variants'),
      prerequisite: ask('prerequisite'),
      fifty: ask('fifty'),
      'non-ascii': ask('rollout'),
    },
    close() {},
  }
}
