import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { formatInstant } from '../../shared/ui/format-time.ts'
import { fromFieldText, toFieldText } from './local-moment.ts'
import type { Moment } from './use-moment.ts'

interface MomentBarProps {
  readonly moment: Moment
  /** True while clients were still receiving a change. */
  readonly notice: string | undefined
}

/** The choice of a past moment, and a banner while one is chosen. */
export function MomentBar({ moment: { at, setAt }, notice }: MomentBarProps) {
  return (
    <>
      <Group gap="xs" align="flex-end" mb="sm">
        <TextInput
          type="datetime-local"
          step={1}
          label="As of"
          max={toFieldText(new Date().toISOString())}
          value={at === null ? '' : toFieldText(at)}
          onChange={(event) => setAt(fromFieldText(event.currentTarget.value))}
        />
        {at === null ? (
          <Text size="sm" c="dimmed" pb={8}>
            Leave empty for now.
          </Text>
        ) : (
          <Button variant="default" onClick={() => setAt(null)}>
            Back to now
          </Button>
        )}
      </Group>
      {at !== null && (
        <Alert
          color="yellow"
          icon={<IconHistory size={18} />}
          title={`As of ${formatInstant(at)}`}
          role="status"
          mb="sm"
        >
          Flags, segments and prerequisites as they were. The attributes are those that you enter.
          {notice !== undefined && ` ${notice}`}
        </Alert>
      )}
    </>
  )
}
