import { loadPeer, peerVersion } from '../load-peer.mjs'
import { fiftyRules, fourVariants, threeRules } from '../scenarios.mjs'

const NAME = '@growthbook/growthbook'

const asRule = ({ attribute, values }) => ({ condition: { [attribute]: { $in: values } }, force: true })

/** The client for many users, without a tracking callback. */
export function createContestant() {
  const { GrowthBookClient } = loadPeer(NAME)
  const features = {
    boolean: { defaultValue: true },
    rollout: { defaultValue: false, rules: [{ force: true, coverage: 0.3, hashAttribute: 'id' }] },
    rules: { defaultValue: false, rules: threeRules.map(asRule) },
    variants: {
      defaultValue: 'none',
      rules: [
        { variations: fourVariants, weights: [0.25, 0.25, 0.25, 0.25], hashAttribute: 'id', hashVersion: 2 },
      ],
    },
    prerequisite: {
      defaultValue: true,
      rules: [{ parentConditions: [{ id: 'boolean', condition: { value: true }, gate: true }], force: true }],
    },
    fifty: { defaultValue: false, rules: fiftyRules.map(asRule) },
  }
  const client = new GrowthBookClient().initSync({ payload: { features } })
  const prepare = ({ key, attributes }) => ({ attributes: { id: key, ...attributes } })
  const ask = (flagKey) => ({ prepare, ask: (context) => client.getFeatureValue(flagKey, null, context) })
  return {
    name: 'GrowthBook',
    version: peerVersion(NAME),
    questions: {
      boolean: ask('boolean'),
      rollout: ask('rollout'),
      rules: ask('rules'),
      variants: ask('variants'),
      prerequisite: ask('prerequisite'),
      fifty: ask('fifty'),
      'non-ascii': ask('rollout'),
    },
    close: () => client.destroy(),
  }
}
