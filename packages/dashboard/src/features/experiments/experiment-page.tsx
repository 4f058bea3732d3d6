import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFlask, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { hasStatus } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { isProduction } from '../../shared/scope/is-production.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { deleteExperiment } from './delete-experiment.tsx'
import { EditExperimentDialog } from './edit-experiment-dialog.tsx'
import { ExperimentSummary } from './experiment-summary.tsx'
import { ExperimentResultsPanel } from './results/experiment-results-panel.tsx'
import { StatusControl } from './status-control.tsx'

export function ExperimentPage() {
  const { environment_id, environment } = useScope()
  const { experiment_key: key = '' } = useParams({ strict: false })
  const may = usePermissions()
  const forget = useForget(key)
  const [isEditing, { open, close }] = useDisclosure(false)
  const { data: experiment, ...query } = useQuery(
    endpointQuery('getExperiment', { params: { env_id: environment_id, key } }),
  )
  if (hasStatus(query.error, 404)) return <MissingExperiment experiment_key={key} />
  if (!experiment) {
    return (
      <Page title={key}>
        {query.isError ? (
          <Failure
            title="The experiment could not be loaded"
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <SkeletonRows rows={6} height={72} />
        )}
      </Page>
    )
  }
  return (
    <Page
      title={experiment.name}
      heading={
        <Text span inherit lineClamp={2} title={experiment.name}>
          {experiment.name}
        </Text>
      }
      description={<ExperimentSummary experiment={experiment} />}
      actions={
        <>
          <StatusControl experiment={experiment} permission={may('updateExperiment')} />
          <Group gap="xs" wrap="nowrap">
            <Gated permission={may('updateExperiment')}>
              <Button size="xs" variant="default" leftSection={<IconPencil size={15} />} onClick={open}>
                Edit
              </Button>
            </Gated>
            <Gated permission={may('deleteExperiment')}>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={15} />}
                onClick={() =>
                  deleteExperiment({
                    experiment,
                    isProduction: isProduction(environment),
                    onConfirm: forget,
                  })
                }
              >
                Delete
              </Button>
            </Gated>
          </Group>
        </>
      }
    >
      <ExperimentResultsPanel experiment={experiment} />
      <EditExperimentDialog experiment={experiment} isOpen={isEditing} onClose={close} />
    </Page>
  )
}

/** Deletes the experiment and leaves its page. */
function useForget(key: string) {
  const { project_id, environment_id } = useScope()
  const navigate = useNavigate()
  return async () => {
    const leave = () =>
      navigate({
        to: '/projects/$project_id/environments/$environment_id/experiments',
        params: { project_id, environment_id },
      })
    await call('deleteExperiment', { params: { env_id: environment_id, key } }, { settle: leave })
    notifySuccess({ message: `The experiment ${key} is deleted.` })
  }
}

function MissingExperiment({ experiment_key }: { readonly experiment_key: string }) {
  const { project_id, environment_id, environment } = useScope()
  return (
    <Page title="Experiment">
      <EmptyState
        icon={<IconFlask size={24} />}
        title="There is no such experiment"
        action={
          <ButtonLink
            variant="default"
            to="/projects/$project_id/environments/$environment_id/experiments"
            params={{ project_id, environment_id }}
          >
            See all experiments
          </ButtonLink>
        }
      >
        {environment?.name ?? 'This environment'} has none with the key <b>{experiment_key}</b>. It may have
        been deleted, or be in another environment.
      </EmptyState>
    </Page>
  )
}
