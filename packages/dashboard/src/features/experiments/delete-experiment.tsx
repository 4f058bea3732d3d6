import type { Experiment } from '@burgee/contract'
import { Text } from '@mantine/core'
import { confirm } from '../../shared/ui/confirm.tsx'

interface Deletion {
  readonly experiment: Experiment
  /** Production asks to type the key. */
  readonly is_production: boolean
  readonly onConfirm: () => Promise<unknown>
}

/** Asks before an experiment is deleted. */
export function deleteExperiment({ experiment, is_production, onConfirm }: Deletion): void {
  confirm({
    title: 'Delete experiment',
    confirm_label: 'Delete experiment',
    ...(is_production && { typed: experiment.key }),
    onConfirm,
    children: (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>{experiment.name}</b> and its settings are deleted. The flag, its impressions and the goal events
        stay, so that a new experiment on them has the same numbers.
      </Text>
    ),
  })
}
