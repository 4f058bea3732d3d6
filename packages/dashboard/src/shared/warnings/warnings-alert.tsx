import type { Warning } from '@burgee/contract'
import { Alert, Button, List } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { countWarnings, describeWarning } from './describe-warning.ts'

const SHOWN_MAX = 5

interface WarningsAlertProps {
  readonly warnings: readonly Warning[]
  readonly title?: string
  /** `alert` is read out when it appears. `region` is for warnings that are there from the start. */
  readonly role?: 'alert' | 'region'
}

/** The probable mistakes that the server found: the first ones, and the number of the others. */
export function WarningsAlert({
  warnings,
  title = 'Probably a mistake',
  role = 'alert',
}: WarningsAlertProps) {
  const [isOpen, { open }] = useDisclosure(false)
  if (warnings.length === 0) return null
  const shown = isOpen ? warnings : warnings.slice(0, SHOWN_MAX)
  const hidden = countWarnings(warnings.slice(shown.length))
  return (
    <Alert
      color="yellow"
      variant="light"
      role={role}
      {...(role === 'region' && { 'aria-label': title })}
      icon={<IconAlertTriangle size={18} />}
      title={title}
    >
      <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {shown.map((warning) => (
          <List.Item key={`${warning.code} ${warning.path}`}>{describeWarning(warning)}</List.Item>
        ))}
      </List>
      {hidden > 0 && (
        <Button variant="subtle" color="yellow" c="inherit" size="compact-sm" mt={4} onClick={open}>
          and {hidden} more
        </Button>
      )}
    </Alert>
  )
}
