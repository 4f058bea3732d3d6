import { Kbd, Modal, SimpleGrid } from '@mantine/core'
import { ENVIRONMENT_PAGES, PROJECT_PAGES } from '../frame/pages.tsx'
import classes from './shortcut-list.module.css'

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

const ANYWHERE = [
  { keys: [MOD, 'K'], label: 'Search or run a command' },
  { keys: ['/'], label: "Search in the page's list" },
  { keys: ['e'], label: 'Switch environment' },
  { keys: ['c'], label: 'Create a flag' },
  { keys: ['?'], label: 'Show this list' },
  { keys: ['Esc'], label: 'Close what is open' },
]

const IN_LISTS_AND_EDITORS = [
  { keys: ['j', 'k'], label: 'Move in the list of flags' },
  { keys: ['Enter'], label: 'Open the flag' },
  { keys: ['Space'], label: 'Turn the flag on or off' },
  { keys: ['x'], label: 'Select the flag' },
  { keys: ['Alt', '↑ ↓'], label: 'Move a rule' },
  { keys: [MOD, 'S'], label: 'Review the changes of a flag' },
]

const GO_TO = [...ENVIRONMENT_PAGES, ...PROJECT_PAGES].map(({ label, shortcut }) => ({
  keys: ['g', shortcut],
  label,
}))

/** All shortcuts: opened by `?`. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg" transitionProps={{ duration: 0 }}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <div>
          <Keys title="Anywhere" entries={ANYWHERE} />
          <Keys title="In lists and editors" entries={IN_LISTS_AND_EDITORS} />
        </div>
        <div>
          <Keys title="Go to" entries={GO_TO} />
        </div>
      </SimpleGrid>
    </Modal>
  )
}

interface KeysProps {
  readonly title: string
  readonly entries: readonly { readonly keys: readonly string[]; readonly label: string }[]
}

function Keys({ title, entries }: KeysProps) {
  return (
    <>
      <h3 className={classes.title}>{title}</h3>
      <dl className={classes.keys}>
        {entries.map(({ keys, label }) => (
          <div key={label} className={classes.entry}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
