import type { Experiment } from '@burgee/contract'
import { Group, Spoiler, Text } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './experiment-summary.module.css'

/** The height of a long description that is shown at first. */
const DESCRIPTION_PX = 66

/** The subject of an experiment, its goal, its start and its purpose. */
export function ExperimentSummary({ experiment }: { readonly experiment: Experiment }) {
  const { project_id, environment_id } = useScope()
  return (
    <>
      <Group gap="4px 16px" className={classes.facts}>
        <span>
          Flag{' '}
          <AnchorLink
            to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
            params={{ project_id, environment_id, flag_key: experiment.flag_key }}
            size="sm"
          >
            {experiment.flag_key}
          </AnchorLink>
        </span>
        <span>
          Goal{' '}
          <Text span size="sm" c="var(--mantine-color-text)">
            {experiment.goal_event_key}
          </Text>
        </span>
        <span>
          Created <Time at={experiment.created_at} span />
        </span>
        <AnchorLink
          to="/projects/$project_id/environments/$environment_id/exposure"
          params={{ project_id, environment_id }}
          search={{ flag_key: experiment.flag_key }}
          size="sm"
        >
          Exposure by day
        </AnchorLink>
      </Group>
      {experiment.description && (
        <Spoiler maxHeight={DESCRIPTION_PX} showLabel="Show all" hideLabel="Show less" mt={8} maw={720}>
          <Text size="sm" c="var(--mantine-color-text)" className={classes.description}>
            {experiment.description}
          </Text>
        </Spoiler>
      )}
    </>
  )
}
