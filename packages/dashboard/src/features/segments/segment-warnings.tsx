import type { Warning } from '@burgee/contract'
import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { nameRules } from '../../parts/rules/name-rules.ts'

/** The probable mistakes that the server found in what was just saved. */
export function SegmentWarnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title="Saved, but probably not what you mean"
    >
      <List size="sm">
        {warnings.map(({ code, message, path }) => (
          <List.Item key={`${code} ${path}`}>
            <Text size="sm">{nameRules(message)}</Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
