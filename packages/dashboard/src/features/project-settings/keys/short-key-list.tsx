import type { SdkKey } from '@burgee/contract'
import { Code, List } from '@mantine/core'

interface ShortKeyListProps {
  readonly keys: readonly SdkKey[]
  readonly label: string
}

const SHOWN = 10

/** Some keys by name and beginning, inside a dialog or a notice. */
export const ShortKeyList = ({ keys, label }: ShortKeyListProps) => (
  <List size="sm" pl={30} aria-label={label}>
    {keys.slice(0, SHOWN).map(({ id, name, prefix }) => (
      <List.Item key={id}>
        {name} <Code>{prefix}</Code>
      </List.Item>
    ))}
    {keys.length > SHOWN && <List.Item>and {keys.length - SHOWN} more</List.Item>}
  </List>
)
