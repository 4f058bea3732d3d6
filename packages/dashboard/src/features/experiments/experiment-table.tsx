import type { Experiment } from '@burgee/contract'
import { Button, Group, Paper, Text } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { useFirstRows } from '../../shared/ui/use-first-rows.tsx'
import classes from './experiment-table.module.css'
import { StatusBadge } from './status-badge.tsx'
import { VerdictCell } from './verdict-cell.tsx'

/** Verdicts cost a request each: a long list shows those of its first rows. */
const VERDICTS_MAX = 20

interface ExperimentTableProps {
  readonly experiments: readonly Experiment[]
  readonly onClear: () => void
}

export function ExperimentTable({ experiments, onClear }: ExperimentTableProps) {
  const { shown, more } = useFirstRows(experiments)
  if (experiments.length === 0) {
    return (
      <Paper withBorder p="xl" radius="md" ta="center">
        <Text size="sm" c="dimmed" mb="xs">
          No experiment matches.
        </Text>
        <Button variant="default" size="xs" onClick={onClear}>
          Clear the filters
        </Button>
      </Paper>
    )
  }
  return (
    <>
      <Paper withBorder radius="md" className={classes.frame}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Experiment</th>
              <th scope="col">Status</th>
              <th scope="col">Result so far</th>
              <th scope="col">Flag and goal</th>
              <th scope="col">Created</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((experiment, index) => (
              <ExperimentRow key={experiment.id} experiment={experiment} hasVerdict={index < VERDICTS_MAX} />
            ))}
          </tbody>
        </table>
      </Paper>
      {more}
    </>
  )
}

function ExperimentRow({
  experiment,
  hasVerdict,
}: {
  readonly experiment: Experiment
  readonly hasVerdict: boolean
}) {
  const { project_id, environment_id } = useScope()
  const scope = { project_id, environment_id }
  return (
    <tr>
      <td className={classes.name}>
        <AnchorLink
          to="/projects/$project_id/environments/$environment_id/experiments/$experiment_key"
          params={{ ...scope, experiment_key: experiment.key }}
          className={classes.link}
          title={experiment.name}
        >
          {experiment.name}
        </AnchorLink>
        <Text size="xs" c="dimmed" truncate>
          {experiment.key}
        </Text>
      </td>
      <td>
        <StatusBadge status={experiment.status} />
      </td>
      <td>{hasVerdict ? <VerdictCell experiment={experiment} /> : null}</td>
      <td>
        <AnchorLink
          to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
          params={{ ...scope, flag_key: experiment.flag_key }}
          size="sm"
          className={classes.key}
        >
          {experiment.flag_key}
        </AnchorLink>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" className={classes.key}>
            to {experiment.goal_event_key}
          </Text>
        </Group>
      </td>
      <td>
        <Time at={experiment.created_at} />
      </td>
    </tr>
  )
}
