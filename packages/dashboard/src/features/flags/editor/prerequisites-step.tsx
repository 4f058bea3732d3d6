import type { Flag } from '@burgee/contract'
import { Button } from '@mantine/core'
import { IconLink, IconPlus } from '@tabler/icons-react'
import { useKeyedList } from '../../../shared/editors/use-keyed-list.ts'
import { FlowStep } from './flow-step.tsx'
import { PrerequisiteRow } from './prerequisite-row.tsx'
import classes from './prerequisites.module.css'
import { ShownValue } from './shown-value.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

interface PrerequisitesStepProps {
  readonly editor: FlagDraft
  readonly flags: readonly Flag[]
}

/** Other flags that must be on first. */
export function PrerequisitesStep({ editor, flags }: PrerequisitesStepProps) {
  const { base, draft, edit, locked } = editor
  const { prerequisites } = draft
  const list = useKeyedList(prerequisites, (next) => edit({ prerequisites: next }))
  const taken = new Set([base.key, ...prerequisites.map(({ flag_key }) => flag_key)])
  const choices = flags.filter(({ key, archived_at }) => !taken.has(key) && archived_at === null)
  return (
    <FlowStep
      icon={<IconLink size={16} />}
      title="Prerequisites"
      summary={
        prerequisites.length === 0 ? (
          'This flag depends on no other flag.'
        ) : (
          <>
            All of these must hold for a user, else the user gets <ShownValue value={draft.disabled_value} />.
          </>
        )
      }
      aside={
        locked === undefined && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            disabled={choices.length === 0}
            onClick={() => list.insert({ flag_key: '' })}
          >
            Add prerequisite
          </Button>
        )
      }
    >
      {prerequisites.length > 0 && (
        <ul className={classes.prerequisites}>
          {prerequisites.map((prerequisite, at) => (
            <PrerequisiteRow
              key={list.keys[at]}
              prerequisite={prerequisite}
              at={at}
              editor={editor}
              flag={flags.find(({ key }) => key === prerequisite.flag_key)}
              choices={choices}
              onChange={(next) => list.replace(at, next)}
              onRemove={() => list.remove(at)}
            />
          ))}
        </ul>
      )}
    </FlowStep>
  )
}
