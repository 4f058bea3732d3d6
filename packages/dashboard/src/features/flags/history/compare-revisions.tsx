import { CloseButton, Group, Paper, Select, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { FlagDiff } from '../../../parts/flag-diff/flag-diff.tsx'
import { formatInstant } from '../../../shared/ui/format-time.ts'
import type { HistoryStep } from './use-flag-history.ts'

interface CompareRevisionsProps {
  readonly steps: readonly HistoryStep[]
  /** Revisions as the address has them; empty: nothing is compared. */
  readonly from: string
  readonly to: string
  readonly onChange: (change: { readonly from?: string; readonly to?: string }) => void
}

/** The differences between any two revisions of a flag. */
export function CompareRevisions({ steps, from, to, onChange }: CompareRevisionsProps) {
  const options = useMemo(
    () =>
      steps.map(({ entry }) => ({
        value: String(entry.revision),
        label: `${entry.revision} · ${formatInstant(entry.created_at)}`,
      })),
    [steps],
  )
  const flagAt = (revision: string) =>
    steps.find(({ entry }) => String(entry.revision) === revision)?.entry.flag
  if (steps.length < 2) return null
  const [before, after] = [flagAt(from), flagAt(to)]
  return (
    <Paper withBorder p="sm" radius="md">
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <Select
            label="Compare revision"
            placeholder="Earlier revision"
            data={options}
            value={from || null}
            onChange={(value) => onChange({ from: value ?? '' })}
            w={270}
            searchable
          />
          <Select
            label="with revision"
            placeholder="Later revision"
            data={options}
            value={to || null}
            onChange={(value) => onChange({ to: value ?? '' })}
            w={270}
            searchable
          />
          {(from || to) && (
            <CloseButton
              aria-label="Stop comparing"
              size="lg"
              onClick={() => onChange({ from: '', to: '' })}
            />
          )}
        </Group>
        <div aria-live="polite">
          {before && after ? (
            <FlagDiff before={before} after={after} />
          ) : (
            (from || to) && (
              <Text size="sm" c="dimmed">
                {from && to
                  ? 'That revision is further back: show earlier changes first.'
                  : 'Choose the other revision as well.'}
              </Text>
            )
          )}
        </div>
      </Stack>
    </Paper>
  )
}
