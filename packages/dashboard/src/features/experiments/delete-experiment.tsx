import type { Experiment } from '@burgee/contract'
import { Text } from '@mantine/core'
import { confirm } from '../../shared/forms/confirm.tsx'

interface Deletion {
  readonly experiment: Experiment
  /** True if the person has to type the key, as in Production. */
  readonly isProduction: boolean
  readonly onConfirm: () => Promise<unknown>
}

/** Opens a confirmation before an experiment is deleted. */
export function deleteExperiment({ experiment, isProduction, onConfirm }: Deletion): void {
  confirm({
    title: 'Delete experiment',
    confirmLabel: 'Delete experiment',
    ...(isProduction && { typed: experiment.key }),
    onConfirm,
    children: (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>{experiment.name}</b> and its settings are deleted. The flag, its impressions and the goal events
        stay, so that a new experiment on them has the same numbers.
      </Text>
    ),
  })
}
