import type { SdkKey } from '@burgee/contract'
import { Checkbox, Code, List, Stack } from '@mantine/core'
import { useState } from 'react'

interface DescendantsChoiceProps {
  readonly descendants: readonly SdkKey[]
  readonly onChange: (is_chosen: boolean) => void
}

const SHOWN = 10

/** The keys that were created with the one that is being revoked: whoever had that one may have these. */
export function DescendantsChoice({ descendants, onChange }: DescendantsChoiceProps) {
  const [is_chosen, setChosen] = useState(true)
  const count = descendants.length
  return (
    <Stack gap={6} mt="md">
      <Checkbox
        label={
          count === 1
            ? 'Revoke the key that was created with it'
            : `Revoke the ${count} keys that were created with it`
        }
        description="Whoever has this key may have these too. Without the check they go on working."
        checked={is_chosen}
        onChange={(event) => {
          setChosen(event.currentTarget.checked)
          onChange(event.currentTarget.checked)
        }}
      />
      <List size="sm" pl={30} aria-label="Keys that were created with it">
        {descendants.slice(0, SHOWN).map(({ id, name, prefix }) => (
          <List.Item key={id}>
            {name} <Code>{prefix}</Code>
          </List.Item>
        ))}
        {count > SHOWN && <List.Item>and {count - SHOWN} more</List.Item>}
      </List>
    </Stack>
  )
}
