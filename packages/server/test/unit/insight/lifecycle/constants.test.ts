import { createFlagSet } from '@burgee/evaluation'
import { describe, expect, it } from 'vitest'
import { createConstants } from '../../../../src/insight/lifecycle/constants.ts'
import { aWireFlag } from '../../../harness/a-wire-flag.ts'

describe('the values that are proved', () => {
  it('are those of flags that give every user the same, and follow each change', async () => {
    const text = { flag_type: 'string' as const, default_value: 'a', disabled_value: 'b', is_enabled: true }
    const flags = createFlagSet([
      aWireFlag({ key: 'whole', ...text }),
      aWireFlag({ key: 'none', ...text, rollout_percentage: 0 }),
      aWireFlag({ key: 'half', ...text, rollout_percentage: 50 }),
      aWireFlag({ key: 'needing', ...text, prerequisites: [{ flag_key: 'none' }] }),
    ])
    let revision = 1
    const set = {
      environment_id: 'e',
      project_id: 'p',
      get revision() {
        return revision
      },
      flags,
      keys: () => [...flags.keys()],
      flag: () => undefined,
    }
    const constants = createConstants({ get: async () => set, whenReached: async () => undefined })
    const proved = async (key: string | null = null) =>
      Object.fromEntries((await constants.prove('e', { key, revision })).values)
    expect(await proved()).toEqual({
      whole: { value: 'a' },
      none: { value: 'b' },
      needing: { value: 'b' },
    })
    flags.upsert(aWireFlag({ key: 'none', ...text }))
    revision += 1
    expect(await proved()).toMatchObject({ none: { value: 'a' }, needing: { value: 'a' } })
    expect(await proved('half')).toEqual({})
    expect(await proved('nowhere')).toEqual({})
  })

  it('are none of an environment that does not exist', async () => {
    const constants = createConstants({ get: async () => null, whenReached: async () => undefined })
    expect((await constants.prove('e', { key: null, revision: 1 })).values).toEqual(new Map())
  })
})
