import {
  ActionIcon,
  Button,
  Divider,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { IconBookmark, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '../../shared/scope/use-me.ts'
import classes from './evaluate.module.css'
import { type Preset, recallPresets, storePresets, withPreset } from './presets.ts'
import type { Subject } from './subject.ts'

interface PresetMenuProps {
  readonly subject: Subject
  readonly onChoose: (subject: Subject) => void
}

/** Users that are evaluated often. This browser remembers them for the person who is signed in. */
export function PresetMenu(props: PresetMenuProps) {
  const owner = useMe()?.email ?? ''
  return <PresetsOf key={owner} owner={owner} {...props} />
}

function PresetsOf({ owner, subject, onChoose }: PresetMenuProps & { readonly owner: string }) {
  const [isOpen, setOpen] = useState(false)
  const [presets, setPresets] = useState<readonly Preset[]>(() => recallPresets(localStorage, owner))
  const keep = (next: readonly Preset[]) => {
    setPresets(next)
    storePresets(localStorage, owner, next)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={280} trapFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconBookmark size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          Presets{presets.length > 0 && ` (${presets.length})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Presets">
        <Stack gap="xs">
          {presets.length === 0 && (
            <Text size="sm" c="dimmed">
              Save users that you evaluate often. They stay in this browser until you sign out.
            </Text>
          )}
          {presets.map((preset) => (
            <Group key={preset.name} gap={4} wrap="nowrap" justify="space-between">
              <UnstyledButton
                className={classes.preset}
                onClick={() => {
                  onChoose(preset)
                  setOpen(false)
                }}
              >
                {preset.name}
              </UnstyledButton>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete the preset ${preset.name}`}
                onClick={() => keep(presets.filter(({ name }) => name !== preset.name))}
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          ))}
          <Divider />
          <SavePreset subject={subject} onSave={(preset) => keep(withPreset(presets, preset))} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface SavePresetProps {
  readonly subject: Subject
  readonly onSave: (preset: Preset) => void
}

function SavePreset({ subject, onSave }: SavePresetProps) {
  const [name, setName] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') return
        onSave({ name: name.trim(), ...subject })
        setName('')
      }}
    >
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          label="Save this user as"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="light" disabled={name.trim() === ''}>
          Keep
        </Button>
      </Group>
    </form>
  )
}
