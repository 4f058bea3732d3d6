import { SAVED_FILTER_NAME_MAX_LENGTH, SAVED_FILTERS_MAX } from '@burgee/contract'
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { usePreferences } from '../../../../shared/preferences/use-preferences.ts'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import classes from './saved-filters.module.css'

interface SavedFiltersProps {
  /** The filters of the list now, as the query of its address; empty where nothing narrows it. */
  readonly query: string
  readonly onApply: (query: string) => void
}

/** The filters that the person has named, and the way to name those of the list. */
export function SavedFilters({ query, onApply }: SavedFiltersProps) {
  const { project_id } = useScope()
  const { preferences, change } = usePreferences(project_id)
  const [isNaming, setNaming] = useState(false)
  const saved = Object.entries(preferences.saved_filters).sort(([a], [b]) => a.localeCompare(b))
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="Saved filters">
            <IconBookmark size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown}>
          <Menu.Label>{saved.length === 0 ? 'No saved filters yet' : 'Saved filters'}</Menu.Label>
          {saved.map(([name, filter]) => (
            <Group key={name} gap={0} wrap="nowrap">
              <Menu.Item
                flex={1}
                miw={0}
                fw={filter === query ? 600 : undefined}
                onClick={() => onApply(filter)}
              >
                <Text span size="sm" truncate display="block" inherit>
                  {name}
                </Text>
              </Menu.Item>
              <Menu.Item
                w="auto"
                p={8}
                aria-label={`Delete the filter ${name}`}
                closeMenuOnClick={false}
                onClick={() => void change({ saved_filters: { [name]: null } })}
              >
                <IconX size={14} />
              </Menu.Item>
            </Group>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={14} />}
            disabled={query === '' || saved.length >= SAVED_FILTERS_MAX}
            onClick={() => setNaming(true)}
          >
            {query === '' ? 'Set a filter to save it' : 'Save these filters…'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          taken={saved.map(([name]) => name)}
          onClose={() => setNaming(false)}
          onSave={(name) => change({ saved_filters: { [name]: query } })}
        />
      )}
    </>
  )
}

interface NameDialogProps {
  readonly taken: readonly string[]
  readonly onClose: () => void
  /** Resolves to false where it was not stored. */
  readonly onSave: (name: string) => Promise<boolean>
}

function NameDialog({ taken, onClose, onSave }: NameDialogProps) {
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const trimmed = name.trim()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (trimmed === '') return
    setBusy(true)
    if (await onSave(trimmed)) onClose()
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} title="Save these filters" size="sm">
      <form onSubmit={(event) => void save(event)}>
        <Stack gap="md">
          <TextInput
            label="Name"
            description={
              taken.includes(trimmed)
                ? 'There is a filter with this name. Saving replaces it.'
                : 'Only you see it, in every environment of the project.'
            }
            value={name}
            maxLength={SAVED_FILTER_NAME_MAX_LENGTH}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={trimmed === ''} loading={isBusy}>
              Save filters
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
