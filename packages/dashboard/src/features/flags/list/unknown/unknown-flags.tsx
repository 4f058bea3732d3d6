import type { Flag } from '@burgee/contract'
import { Alert, Anchor, Drawer, Stack, Text } from '@mantine/core'
import { IconFlagQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { endpointQuery } from '../../../../shared/api/queries.ts'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import { countOf } from '../../../../shared/ui/count-of.ts'
import { RowList } from '../../../../shared/ui/row-list.tsx'
import { useFirstRows } from '../../../../shared/ui/use-first-rows.tsx'
import { UnknownFlagRow } from './unknown-flag-row.tsx'

interface UnknownFlagsProps {
  /** The flags of the environment, which are as recent as its live updates. */
  readonly flags: readonly Flag[]
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onClose: () => void
  /** Opens the dialog that creates a flag with this key. */
  readonly onCreate: (flag_key: string) => void
}

/** Shows a notice of flags that programs evaluate and that do not exist, and their list. */
export function UnknownFlags({ flags: existing, isOpen, onOpen, onClose, onCreate }: UnknownFlagsProps) {
  const { environment_id, environment } = useScope()
  // Where the list cannot be read, the page is complete without it.
  const { data = [] } = useQuery(endpointQuery('listUnknownFlags', { params: { env_id: environment_id } }))
  const flags = useMemo(() => {
    const active = new Set(existing.filter(({ archived_at }) => archived_at === null).map(({ key }) => key))
    return data.filter(({ flag_key }) => !active.has(flag_key))
  }, [data, existing])
  const { shown, more } = useFirstRows(flags)
  const place = environment?.name ?? 'this environment'
  return (
    <>
      {flags.length > 0 && (
        <Alert color="gray" variant="light" icon={<IconFlagQuestion size={18} />} mb="md" py="xs">
          <Text size="sm">
            Programs evaluate {countUnknown(flags.length)} not exist in {place}.{' '}
            <Anchor component="button" type="button" inherit underline="always" onClick={onOpen}>
              Show {flags.length === 1 ? 'it' : 'them'}
            </Anchor>
          </Text>
        </Alert>
      )}
      <Drawer
        opened={isOpen && flags.length > 0}
        onClose={onClose}
        position="right"
        size="lg"
        title={`Flags that do not exist in ${place}`}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            Programs get their own fallback for these keys. A key disappears from this list when the flag
            exists, or 30 days after its last evaluation.
          </Text>
          <RowList label="Flags that do not exist">
            {shown.map((flag) => (
              <UnknownFlagRow key={flag.flag_key} flag={flag} onCreate={() => onCreate(flag.flag_key)} />
            ))}
          </RowList>
          {more}
        </Stack>
      </Drawer>
    </>
  )
}

const countUnknown = (count: number): string => countOf(count, 'flag that does', 'flags that do')
