import type { CreatedProject } from '@burgee/contract'
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ABOUT_LONE_SERVER_KEY, FirstKeys } from '../../parts/connect-app/first-keys.tsx'

/** A project that has just been created. Its keys are known here and nowhere else. */
export interface NewProject {
  readonly project: CreatedProject
  /** The key for its first program; null where it could not be created. */
  readonly readerKey: string | null
}

interface StoreKeysProps {
  readonly created: NewProject
  readonly onClose: () => void
}

/** The last step of creating a project: it ends only when the reader confirms that they have the key. */
export function StoreKeys({ created: { project, readerKey }, onClose }: StoreKeysProps) {
  const navigate = useNavigate()
  const [isStored, setStored] = useState(false)
  const connect = async () => {
    onClose()
    await navigate({
      to: '/projects/$project_id/environments/$environment_id/connect',
      params: { project_id: project.id, environment_id: project.sdk_key.environment_id },
    })
  }
  return (
    <Stack>
      <Text size="sm">{readerKey === null ? ABOUT_LONE_SERVER_KEY : ABOUT_READER_KEY}</Text>
      <FirstKeys readerKey={readerKey} serverKey={project.sdk_key} />
      <Checkbox
        label="I have stored the key"
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={!isStored}>
          Done
        </Button>
        <Button onClick={() => void connect()} disabled={!isStored}>
          Connect your app
        </Button>
      </Group>
    </Stack>
  )
}

const ABOUT_READER_KEY =
  'The project is created. Your programs read its flags with this reader key. It reads flags and sends reports, nothing else.'
