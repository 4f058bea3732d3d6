import type { Experiment } from '@burgee/contract'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { usePatchExperiment } from './use-patch-experiment.ts'

type Status = Experiment['status']

const CHOICES: { readonly value: Status; readonly label: string }[] = [
  { value: 'running', label: 'Running' },
  { value: 'paused', label: 'Paused' },
  { value: 'completed', label: 'Completed' },
]

interface StatusControlProps {
  readonly experiment: Experiment
  readonly permission: Permission
}

/** Any status may follow any other: it is a mark for people and changes no data. */
export function StatusControl({ experiment, permission }: StatusControlProps) {
  const patchExperiment = usePatchExperiment(experiment)
  const [wanted, setWanted] = useState<Status | null>(null)
  const change = async (status: Status, before?: Status) => {
    setWanted(status)
    try {
      await patchExperiment({ status })
      const onUndo = before && (() => void change(before))
      notifySuccess({ message: `The experiment is ${status}.`, ...(onUndo && { onUndo }) })
    } catch (error) {
      notifyFailure('The status was not changed', error)
    }
    setWanted(null)
  }
  return (
    <Gated permission={permission}>
      <SegmentedControl
        size="xs"
        data={CHOICES}
        value={wanted ?? experiment.status}
        onChange={(status) => void change(status, experiment.status)}
        aria-label="Status"
      />
    </Gated>
  )
}
