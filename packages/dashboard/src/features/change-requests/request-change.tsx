import type { ChangeRequest } from '@burgee/contract'
import { Code, List, Stack, Text } from '@mantine/core'
import { FlagDiff } from '../../parts/flag-diff/flag-diff.tsx'
import { capitalize } from '../../parts/flag-diff/format-phrase.ts'
import { describeChange } from './describe-change.ts'

/**
 * The change of a request. While the request is pending, it is compared with the current flag. After the
 * decision it is shown as it was.
 */
export function RequestChange({ request }: { readonly request: ChangeRequest }) {
  const { decided_change: decided, operation, patch, preview } = request
  if (decided) return <FlagDiff before={decided.before} after={decided.after} />
  if (operation === 'unschedule') {
    return <Text size="sm">The scheduled change is withdrawn. The flag stays as it is.</Text>
  }
  if (preview && preview.problem === undefined) {
    return <FlagDiff before={preview.before} after={preview.after} />
  }
  if (operation === 'delete') return <Text size="sm">The whole flag is deleted.</Text>
  const phrases = describeChange(request)
  if (phrases.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing that the flag did not have already.
      </Text>
    )
  }
  return (
    <Stack gap="xs">
      <List size="sm">
        {phrases.map((phrase) => (
          <List.Item key={phrase}>{capitalize(phrase)}</List.Item>
        ))}
      </List>
      <Code block tabIndex={0} role="region" aria-label="The change as a JSON merge patch" mah={320}>
        {JSON.stringify(patch, null, 2)}
      </Code>
    </Stack>
  )
}
