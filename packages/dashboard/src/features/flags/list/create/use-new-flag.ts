import type { Flag } from '@burgee/contract'
import type { FlagType, JsonValue } from '@burgee/evaluation'
import { useState } from 'react'
import { suggestKey } from '../../../../shared/forms/suggest-key.ts'
import { useMe } from '../../../../shared/scope/use-me.ts'

/** The fields of a new flag. Rules, variants and rollout come in its editor. */
export interface NewFlag {
  readonly key: string
  readonly description: string
  readonly flag_type: FlagType
  readonly default_value: JsonValue
  readonly disabled_value: JsonValue
  readonly tags: string[]
  readonly owner_email: string
  /** In the open environment only: elsewhere a new flag is off. */
  readonly is_enabled: boolean
  readonly scope: CreationScope
}

/** The environments that a new flag is created in. */
type CreationScope = 'all' | 'this'

/** The draft of a new flag. Its key follows the description until the key field is edited. */
export function useNewFlag(initialKey: string) {
  const me = useMe()
  const [draft, setDraft] = useState<NewFlag>({
    key: initialKey,
    description: '',
    flag_type: 'boolean',
    default_value: true,
    disabled_value: false,
    tags: [],
    owner_email: me?.email ?? '',
    is_enabled: false,
    scope: 'all',
  })
  const [isOwnKey, setOwnKey] = useState(initialKey !== '')
  const change = (changes: Partial<NewFlag>) => setDraft((before) => ({ ...before, ...changes }))
  return {
    draft,
    change,
    /** Blanks become hyphens as they are typed, since they are what people type first. */
    changeKey: (typed: string) => {
      setOwnKey(typed !== '')
      change({ key: typed.trimStart().replace(/\s+/g, '-') })
    },
    describe: (description: string) =>
      change({ description, ...(!isOwnKey && { key: suggestKey(description) }) }),
    changeType: (flag_type: FlagType) => change({ flag_type, ...valuesOf(flag_type) }),
  }
}

/** As the server's own defaults are; null leaves the value to the code. */
const valuesOf = (flag_type: FlagType): Pick<Flag, 'default_value' | 'disabled_value'> =>
  flag_type === 'boolean'
    ? { default_value: true, disabled_value: false }
    : { default_value: null, disabled_value: null }
