import { createFlagSet, HASHES, OPERATORS } from '@burgee/evaluation'
import { expect, it } from 'vitest'
import { startTestServer } from '../../harness/start-test-server.ts'

/** Minutes on a busy machine. */
const TIMEOUT_MS = 600_000
const FLAGS = 100
const USERS = 100

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** Flags with every operator and hash, segments and chains of prerequisites. */
const flags = Array.from({ length: FLAGS }, (_, index) => ({
  key: `flag-${index}`,
  is_enabled: index % 7 !== 6,
  flag_type: 'string',
  default_value: 'on',
  disabled_value: 'off',
  rollout_percentage: index % 3 === 0 ? (index * 13) % 101 : null,
  hash: index % 5 === 4 ? at(HASHES, index) : 'murmur3',
  rules: [
    {
      attribute: at(['plan', 'age', 'version'], index),
      operator: at(OPERATORS, index),
      values: [at(['pro', '30', '1.2.0'], index)],
      variant: 'ruled',
    },
    ...(index % 4 === 0 ? [{ segment_key: 'some', rollout_percentage: 50 }] : []),
  ],
  variants: [
    { weight: 1, value: 'a' },
    { weight: 2, value: 'b' },
  ],
  prerequisites: index % 10 > 6 ? [{ flag_key: `flag-${index - 1}` }] : [],
}))

it(
  'the server and an SDK agree on the results of 10,000 pairs of flag and user, with steps and without',
  async () => {
    const server = await startTestServer()
    const environment = `/api/environments/${server.environments.production}`
    const segments = [
      {
        key: 'some',
        name: 'Some',
        rules: [{ attribute: 'plan', operator: 'is_set' }],
        excluded_keys: ['user-3'],
      },
    ]
    const applied = await server.call({ path: `${environment}/apply`, body: { flags, segments } })
    expect(applied.status).toBe(200)
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
    const set = createFlagSet(snapshot.body)
    expect(set.size).toBe(FLAGS)
    for (let index = 0; index < USERS; index += 1) {
      const user_key = index % 10 === 9 ? null : `user-${index}`
      const attributes = {
        ...(index % 2 === 0 && { plan: at<string | string[]>(['pro', 'free', ['x', 'pro']], index) }),
        ...(index % 3 === 0 && { age: index }),
        version: `1.${index % 4}.0`,
      }
      const expected = [...set.keys()].sort().map((flag_key) => ({
        flag_key,
        ...set.evaluate(flag_key, { userKey: user_key, attributes }),
      }))
      for (const trace of [false, true]) {
        const { body } = await server.call({
          path: `${environment}/evaluate`,
          body: { user_key, attributes, trace },
        })
        const results = body.flags.map(({ trace: _, ...result }: { trace?: unknown }) => result)
        expect(results).toEqual(expected)
      }
    }
    await server.close()
  },
  TIMEOUT_MS,
)
