import { loadPeer, peerVersion } from '../load-peer.mjs'
import { fiftyRules, fourVariants, threeRules } from '../scenarios.mjs'

const NAME = 'unleash-client'

const everyUser = { name: 'default', parameters: {} }
const asStrategy = ({ attribute, values }) => ({
  ...everyUser,
  constraints: [{ contextName: attribute, operator: 'IN', values, inverted: false, caseInsensitive: false }],
})

/** Bootstrapped, without a server and metrics. */
export async function createContestant() {
  const { Unleash } = loadPeer(NAME)
  const feature = (name, stated) => ({
    name,
    enabled: true,
    type: 'release',
    project: 'default',
    stale: false,
    impressionData: false,
    strategies: [everyUser],
    variants: [],
    ...stated,
  })
  const unleash = new Unleash({
    appName: 'bench',
    url: 'http://127.0.0.1:9/api/',
    refreshInterval: 0,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    storageProvider: { get: async () => undefined, set: async () => {} },
    bootstrap: {
      data: [
        feature('boolean', {}),
        feature('rollout', {
          strategies: [
            {
              name: 'flexibleRollout',
              parameters: { rollout: '30', stickiness: 'userId', groupId: 'rollout' },
            },
          ],
        }),
        feature('rules', { strategies: threeRules.map(asStrategy) }),
        feature('variants', {
          variants: fourVariants.map((name) => ({
            name,
            weight: 250,
            weightType: 'variable',
            stickiness: 'userId',
          })),
        }),
        feature('prerequisite', { dependencies: [{ feature: 'boolean', enabled: true }] }),
        feature('fifty', { strategies: fiftyRules.map(asStrategy) }),
      ],
    },
  })
  // There is no server; it reports this, and it does not matter.
  unleash.on('error', () => {})
  unleash.on('warn', () => {})
  await new Promise((resolve) => unleash.once('ready', resolve))
  const prepare = ({ key, attributes }) => ({ userId: key, properties: { ...attributes } })
  const ask = (flagKey) => ({ prepare, ask: (context) => unleash.isEnabled(flagKey, context) })
  return {
    name: 'Unleash client',
    version: peerVersion(NAME),
    questions: {
      boolean: ask('boolean'),
      rollout: ask('rollout'),
      rules: ask('rules'),
      variants: { prepare, ask: (context) => unleash.getVariant('variants', context).name },
      prerequisite: ask('prerequisite'),
      fifty: ask('fifty'),
      'non-ascii': ask('rollout'),
    },
    close: () => unleash.destroy(),
  }
}
