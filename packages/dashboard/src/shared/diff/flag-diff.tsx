import { describeFlagChange, type Flag } from '@burgee/contract'
import { List } from '@mantine/core'

interface FlagDiffProps {
  /** Null: there was none. */
  readonly before: Flag | null
  /** Null: it is deleted. */
  readonly after: Flag | null
}

/** What a change means, phrase by phrase, and the JSON of both sides for who wants it. */
export function FlagDiff({ before, after }: FlagDiffProps) {
  return (
    <List size="sm">
      {describeFlagChange(before, after).map((phrase) => (
        <List.Item key={phrase}>{phrase}</List.Item>
      ))}
    </List>
  )
}
