import { loadPeer, peerVersion } from '../load-peer.mjs'
import { fiftyRules, fourVariants, threeRules } from '../scenarios.mjs'

const NAME = '@launchdarkly/node-server-sdk'
const [ON, OFF] = [0, 1]

const asRule = ({ attribute, values }, index) => ({
  id: `rule-${index}`,
  variation: ON,
  clauses: [{ attribute, op: 'in', values, negate: false, contextKind: 'user' }],
})

/**
 * The server SDK with its own TestData source and without events. Its results are promises, which are
 * awaited.
 */
export async function createContestant() {
  const { init, basicLogger } = loadPeer(NAME)
  const { TestData } = loadPeer(`${NAME}/integrations`)
  const source = new TestData()
  const flag = (key, stated) =>
    source.usePreconfiguredFlag({
      key,
      version: 1,
      on: true,
      variations: [true, false],
      fallthrough: { variation: OFF },
      offVariation: OFF,
      salt: key,
      rules: [],
      targets: [],
      prerequisites: [],
      ...stated,
    })
  const shares = (...weights) => ({
    rollout: { variations: weights.map((weight, variation) => ({ variation, weight: weight * 1000 })) },
  })
  await flag('boolean', { fallthrough: { variation: ON } })
  await flag('rollout', { fallthrough: shares(30, 70) })
  await flag('rules', { rules: threeRules.map(asRule) })
  await flag('variants', { variations: fourVariants, fallthrough: shares(25, 25, 25, 25) })
  await flag('prerequisite', {
    fallthrough: { variation: ON },
    prerequisites: [{ key: 'boolean', variation: ON }],
  })
  await flag('fifty', { rules: fiftyRules.map(asRule) })
  const client = init('sdk-key', {
    updateProcessor: source.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: basicLogger({ level: 'none' }),
  })
  await client.waitForInitialization({ timeout: 5 })
  const prepare = ({ key, attributes }) => ({ kind: 'user', key, ...attributes })
  const ask = (flagKey) => ({
    prepare,
    ask: (context) => client.variation(flagKey, context, null),
    isAsync: true,
  })
  return {
    name: 'LaunchDarkly server SDK',
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
    close: () => client.close(),
  }
}
