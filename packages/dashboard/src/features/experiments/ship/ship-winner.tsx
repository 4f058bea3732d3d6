import type { Experiment, ExperimentResults, Flag } from '@burgee/contract'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRocket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { FlagDiff } from '../../../parts/flag-diff/flag-diff.tsx'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { nameValue } from '../../../shared/charts/name-value.ts'
import { useComment } from '../../../shared/comments/use-comment.tsx'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { ApprovalNote } from '../../../shared/ui/approval-note.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { formatNames } from '../../../shared/ui/format-names.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { findUndecided, findWinner } from './find-winner.ts'
import { shipPatch, shippedFlag } from './ship-patch.ts'
import { type Shipment, useShip } from './use-ship.tsx'

interface ShipWinnerProps {
  readonly experiment: Experiment
  readonly results: ExperimentResults
}

/** Offers to end a decided experiment by serving its winner to everyone. */
export function ShipWinner({ experiment, results }: ShipWinnerProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const params = { env_id: experiment.environment_id, key: experiment.flag_key }
  const winner = findWinner(results)
  const flag = useQuery({ ...endpointQuery('getFlag', { params }), enabled: winner !== null }).data
  const permission = usePermissions()('patchFlag')
  if (winner === null || !flag || experiment.status === 'completed' || flag.archived_at !== null) return null
  const patch = shipPatch(flag, winner)
  if (patch === null) return null
  return (
    <>
      <Group>
        <Gated permission={permission}>
          <Button leftSection={<IconRocket size={17} />} onClick={open}>
            Stop and serve {nameValue(winner)} to everyone
          </Button>
        </Gated>
      </Group>
      <Modal opened={isOpen} onClose={close} size="lg" title={`Serve ${nameValue(winner)} to everyone`}>
        <ShipReview
          shipment={{ experiment, flag, patch, winner }}
          flag={flag}
          undecided={findUndecided(results)}
          onClose={close}
        />
      </Modal>
    </>
  )
}

interface ShipReviewProps {
  readonly shipment: Shipment
  readonly flag: Flag
  /** Values that the experiment has not decided about. */
  readonly undecided: readonly string[]
  readonly onClose: () => void
}

function ShipReview({ shipment, flag, undecided, onClose }: ShipReviewProps) {
  const { environment } = useScope()
  const { ship, failure, isBusy } = useShip(shipment, onClose)
  const { comment, field, permission } = useComment(environment)
  const needsApproval = environment?.require_approval === true
  return (
    <Stack gap="md">
      <Text size="sm">
        {flag.key} in {environment?.name} changes for every user, and the experiment is completed. Its results
        stay.
        {undecided.length > 0 &&
          ` ${formatNames(undecided.map(nameValue))} ${undecided.length === 1 ? 'is' : 'are'} not decided yet, and will not be.`}
      </Text>
      <FlagDiff before={flag} after={shippedFlag(flag, shipment.patch)} />
      {needsApproval && <ApprovalNote environment_name={environment.name} />}
      {field}
      {failure !== null && <Failure error={failure} title="The winner was not served" />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Gated permission={permission}>
          <Button
            onClick={() => void ship(comment)}
            loading={isBusy}
            {...(isProduction(environment) && { color: 'red' })}
          >
            {needsApproval ? 'Request approval' : `Save to ${environment?.name ?? 'here'}`}
          </Button>
        </Gated>
      </Group>
    </Stack>
  )
}
