import type { CreatedSdkKey, Environment, SdkKey } from '@burgee/contract'
import { Button, Group, Modal, Stack, Stepper, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../../shared/api/call.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { SecretStep } from '../../../shared/ui/secret-step.tsx'
import { KEY_KINDS } from './key-kinds.ts'
import { MoveStep } from './move-step.tsx'
import classes from './rotate-key-dialog.module.css'
import { useRevocation } from './use-revocation.tsx'

interface RotateKeyDialogProps {
  readonly sdk_key: SdkKey
  readonly environment: Environment
  /** All keys of the project. */
  readonly keys: readonly SdkKey[]
  readonly onClose: () => void
}

const STEPS = ['New key', 'Copy', 'Move', 'Revoke'] as const
const MOVE_STEP = 2

/** Replaces a key in steps: a new one of the same kind and name, and the old one goes when it is free. */
export function RotateKeyDialog({ sdk_key, environment, keys, onClose }: RotateKeyDialogProps) {
  const { project_id } = useScope()
  const [created, setCreated] = useState<CreatedSdkKey | null>(null)
  const [isStored, setStored] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const confirmRevoke = useRevocation({ sdk_key, environment, keys })
  const { kind, name, prefix } = sdk_key
  const step = created === null ? 0 : isStored ? MOVE_STEP : 1
  const create = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const body = { name, kind, environment_id: environment.id }
      setCreated((await send('createSdkKey', { params: { project_id }, body })).body)
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`Rotate ${name}`}
      closeOnClickOutside={false}
      // The new key is shown once.
      closeOnEscape={step !== 1}
      withCloseButton={step !== 1}
    >
      <Stack gap="lg">
        <Stepper
          active={step}
          size="xs"
          iconSize={26}
          allowNextStepsSelect={false}
          wrap={false}
          classNames={{ step: classes.step, stepBody: classes.label }}
        >
          {STEPS.map((label) => (
            <Stepper.Step key={label} label={label} />
          ))}
        </Stepper>
        {step === 0 && (
          <>
            <Text size="sm">
              A new key with the same name and kind is created for {environment.name}.{' '}
              {KEY_KINDS[kind].describeReach(environment.name)} The old key ({prefix}) keeps working until you
              revoke it, so no program stops.
            </Text>
            {failure !== null && <Failure error={failure} title="The key was not created" />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button onClick={() => void create()} loading={isBusy}>
                Create new key
              </Button>
            </Group>
          </>
        )}
        {created && !isStored && (
          <SecretStep
            label={`The new ${name}, for ${environment.name}`}
            secret={created.key}
            hint="This is the only time that the whole key is shown. Give it to the programs in place of the old one."
            confirmation="I have stored it"
            onDone={() => setStored(true)}
          />
        )}
        {created && isStored && (
          <MoveStep
            old={sdk_key}
            created={created}
            onLater={onClose}
            onRevoke={() => {
              onClose()
              confirmRevoke()
            }}
          />
        )}
      </Stack>
    </Modal>
  )
}
