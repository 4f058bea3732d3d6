import type { Environment, Flag } from '@burgee/contract'
import { Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PromoteForm } from './promote-form.tsx'
import { TargetChoice } from './target-choice.tsx'

interface PromoteDialogProps {
  /** As it is saved in the source. */
  readonly flag: Flag
  readonly source: Environment
  /** All of the project. */
  readonly environments: readonly Environment[]
  /** Chosen to begin with. */
  readonly targetId?: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Copies a flag into another environment, after showing what that would change there. */
export function PromoteDialog({ isOpen, onClose, flag, ...rest }: PromoteDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} size="xl" title={`Promote ${flag.key}`}>
      {isOpen && <Promotion flag={flag} onClose={onClose} {...rest} />}
    </Modal>
  )
}

type PromotionProps = Omit<PromoteDialogProps, 'isOpen'>

function Promotion({ flag, source, environments, targetId, onClose }: PromotionProps) {
  const targets = environments.filter(({ id }) => id !== source.id)
  const only = targets.length === 1 ? targets[0]?.id : undefined
  const [chosen, setChosen] = useState(targetId ?? only ?? '')
  const target = targets.find(({ id }) => id === chosen)
  if (targets.length === 0) {
    return <Text size="sm">This project has no other environment. Add one in the project's settings.</Text>
  }
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Copies everything of the flag as it is saved in {source.name}, except for whether it is archived.
      </Text>
      <TargetChoice targets={targets} value={chosen} onChange={setChosen} />
      <PromoteForm key={chosen} flag={flag} source={source} target={target} onClose={onClose} />
    </Stack>
  )
}
