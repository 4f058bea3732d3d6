import type { SdkKey } from '@burgee/contract'
import { Checkbox, Stack } from '@mantine/core'
import { useState } from 'react'
import { ShortKeyList } from './short-key-list.tsx'

interface DescendantsChoiceProps {
  readonly descendants: readonly SdkKey[]
  /** True if the project has no key but these and the one that is being revoked. */
  readonly areAll: boolean
  readonly onChange: (isChosen: boolean) => void
}

/** The keys that were created with the one that is being revoked: who had that one may have these. */
export function DescendantsChoice({ descendants, areAll, onChange }: DescendantsChoiceProps) {
  const [isChosen, setChosen] = useState(!areAll)
  const count = descendants.length
  return (
    <Stack gap={6} mt="md">
      <Checkbox
        label={
          count === 1
            ? 'Also revoke the key that was created with it'
            : `Also revoke the ${count} keys that were created with it`
        }
        description={areAll ? ALL_KEYS : 'If you do not revoke them, they keep working.'}
        checked={isChosen}
        disabled={areAll}
        onChange={(event) => {
          setChosen(event.currentTarget.checked)
          onChange(event.currentTarget.checked)
        }}
      />
      <ShortKeyList keys={descendants} label="Keys that were created with it" />
    </Stack>
  )
}

const ALL_KEYS =
  'Not possible now: the project would have no key left. To revoke them all, create another key first.'
