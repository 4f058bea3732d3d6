import { Kbd, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { useWorkplace } from '../frame/use-workplace.ts'
import { type Command, describeCommand } from './command.ts'
import classes from './palette.module.css'
import { PaletteDialog } from './palette-dialog.tsx'
import { PaletteList } from './palette-list.tsx'
import { rankCommands } from './rank-commands.ts'
import { useActionCommands } from './use-action-commands.tsx'
import { useEntityCommands } from './use-entity-commands.tsx'
import { useEnvironmentCommands } from './use-environment-commands.tsx'
import { useFlagCommands } from './use-flag-commands.tsx'
import { ENVIRONMENTS, usePageCommands } from './use-page-commands.tsx'
import { useRecentCommands } from './use-recent-commands.tsx'

interface PaletteProps {
  /** Only what switches the environment. */
  readonly isForEnvironments: boolean
  readonly onClose: () => void
  readonly onShortcuts: () => void
}

/** Everything by a few letters: a combobox in a dialog, the list below moved through with the arrow keys. */
export function Palette({ isForEnvironments, onClose, onShortcuts }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const groups = usePaletteGroups(query, isForEnvironments, onShortcuts)
  const shown = groups.flatMap(({ commands }) => commands)
  const run = (command: Command | undefined) => {
    if (!command || command.isDisabled) return
    onClose()
    void command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = STEPS[event.key as 'ArrowUp']
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (event.key === 'Enter') run(shown[selected])
    else if (shown.length > 0) setSelected((selected + step + shown.length) % shown.length)
  }
  return (
    <PaletteDialog label={isForEnvironments ? 'Switch environment' : 'Commands'} onClose={onClose}>
      <label className={classes.field}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          className={classes.input}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setSelected(0)
          }}
          onKeyDown={onKeyDown}
          placeholder={isForEnvironments ? 'Which environment?' : 'Search flags, pages and commands'}
          role="combobox"
          aria-label={isForEnvironments ? 'Environment' : 'Search or run a command'}
          aria-expanded={shown.length > 0}
          aria-controls={listId}
          aria-activedescendant={shown.length > 0 ? `${listId}-${selected}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
        />
        <Kbd size="xs">Esc</Kbd>
      </label>
      <PaletteList id={listId} groups={groups} selected={selected} onSelect={setSelected} onRun={run} />
      <Text className={classes.count} role="status">
        {shown.length === 0 ? `No results for “${query.slice(0, 80)}”.` : ''}
      </Text>
    </PaletteDialog>
  )
}

const STEPS = { ArrowDown: 1, ArrowUp: -1 }

function usePaletteGroups(query: string, isForEnvironments: boolean, onShortcuts: () => void) {
  const actions = useActionCommands(onShortcuts)
  const pages = usePageCommands()
  const entities = useEntityCommands()
  const flagActions = useFlagCommands(query)
  const elsewhere = useEnvironmentCommands()
  const recent = useRecentCommands()
  const inList = useSearchInList(query)
  if (isForEnvironments) {
    return rankCommands(
      pages.filter(({ group }) => group === ENVIRONMENTS),
      query,
      Number.POSITIVE_INFINITY,
    )
  }
  if (query.trim() === '')
    return rankCommands([...recent, ...actions, ...pages], '', Number.POSITIVE_INFINITY)
  return [
    ...rankCommands([...entities, ...flagActions, ...pages, ...elsewhere, ...actions], query),
    ...inList,
  ]
}

/** The last resort, and the way to all that fits. */
function useSearchInList(query: string) {
  const navigate = useNavigate()
  const { project_id, environment_id } = useWorkplace()
  if (environment_id === '') return []
  const command = describeCommand({
    id: 'search in list',
    group: 'Search',
    label: `Find “${query.trim().slice(0, 80)}” in the list of flags`,
    icon: <IconSearch size={17} stroke={1.6} />,
    run: () =>
      navigate({
        to: '/projects/$project_id/environments/$environment_id/flags',
        params: { project_id, environment_id },
        search: { q: query.trim() },
      }),
  })
  return [{ name: 'Search', commands: [command] }]
}
