import { describeFlagChange, type Flag } from '@burgee/contract'
import { Button, Collapse, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBraces } from '@tabler/icons-react'
import { useMemo } from 'react'
import { JsonDiff } from '../../shared/diff/json-diff.tsx'
import classes from './flag-diff.module.css'
import { FlagPhrase } from './flag-phrase.tsx'

interface FlagDiffProps {
  /** Null: there was none. */
  readonly before: Flag | null
  /** Null: it is deleted. */
  readonly after: Flag | null
  /** Shown where both sides mean the same. */
  readonly same?: string
}

/** The meaning of a change, phrase by phrase, and on request the JSON of both sides. */
export function FlagDiff({ before, after, same = 'No difference: the flag stays as it is.' }: FlagDiffProps) {
  const [isJsonShown, { toggle }] = useDisclosure(false)
  const phrases = useMemo(() => describeFlagChange(before, after), [before, after])
  const texts = useMemo(() => ({ before: content(before), after: content(after) }), [before, after])
  if (phrases.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {same}
      </Text>
    )
  }
  return (
    <Stack gap={6} align="stretch">
      <ul className={classes.phrases}>
        {phrases.map((phrase, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two phrases may read alike
          <FlagPhrase key={`${index} ${phrase}`} phrase={phrase} before={before} after={after} />
        ))}
      </ul>
      <div>
        <Button
          variant="subtle"
          color="gray"
          c="dimmed"
          fw={500}
          size="compact-xs"
          leftSection={<IconBraces size={14} />}
          onClick={toggle}
          aria-expanded={isJsonShown}
        >
          {isJsonShown ? 'Hide JSON' : 'Show JSON'}
        </Button>
      </div>
      <Collapse expanded={isJsonShown}>{isJsonShown && <JsonDiff {...texts} />}</Collapse>
    </Stack>
  )
}

/** The revision is no part of what a flag is. */
function content(flag: Flag | null): Omit<Flag, 'revision'> | null {
  if (!flag) return null
  const { revision: _, ...rest } = flag
  return rest
}
