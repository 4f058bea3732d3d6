import type { Flag } from '@burgee/contract'
import type { FlagType, JsonValue } from '@burgee/evaluation'
import { ActionIcon, Select, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { ValueInput } from '../../../shared/editors/value-input.tsx'
import type { Draft } from './draft.ts'
import { PrerequisiteStateLine } from './prerequisite-state-line.tsx'
import classes from './prerequisites.module.css'
import type { FlagDraft } from './use-flag-draft.ts'

type Prerequisite = Draft['prerequisites'][number]

interface PrerequisiteRowProps {
  readonly prerequisite: Prerequisite
  readonly at: number
  readonly editor: FlagDraft
  /** The flag it names, where there is one. */
  readonly flag: Flag | undefined
  readonly choices: readonly Flag[]
  readonly onChange: (prerequisite: Prerequisite) => void
  readonly onRemove: () => void
}

const FLAGS_SHOWN = 50

/** One flag that must be on, and the value that it must give. */
export function PrerequisiteRow(props: PrerequisiteRowProps) {
  const { prerequisite, at, editor, flag, choices, onChange, onRemove } = props
  const { flag_key, required_value } = prerequisite
  const { locked, problems } = editor
  const isReadOnly = locked !== undefined
  const keys = choices.map(({ key }) => key)
  const type = flag?.flag_type ?? typeOf(required_value ?? null)
  return (
    <li className={classes.prerequisite}>
      <Select
        className={classes.prerequisite_flag}
        aria-label={`Flag of prerequisite ${at + 1}`}
        placeholder="Choose a flag"
        searchable
        limit={FLAGS_SHOWN}
        data={flag_key === '' ? keys : [flag_key, ...keys]}
        value={flag_key === '' ? null : flag_key}
        onChange={(key) => key !== null && onChange({ flag_key: key })}
        allowDeselect={false}
        nothingFoundMessage="No such flag"
        error={problems[`/prerequisites/${at}/flag_key`]}
        readOnly={isReadOnly}
        autoFocus={flag_key === ''}
      />
      <Text size="sm" c="dimmed" className={classes.must}>
        must
      </Text>
      <Select
        className={classes.prerequisite_need}
        aria-label={`What prerequisite ${at + 1} must do`}
        data={NEEDS}
        value={required_value === undefined ? 'on' : 'value'}
        onChange={(need) =>
          onChange(need === 'value' ? { flag_key, required_value: firstValue(flag) } : { flag_key })
        }
        allowDeselect={false}
        readOnly={isReadOnly}
      />
      {required_value !== undefined && (
        <div className={classes.prerequisite_value}>
          <ValueInput
            label={`Required value of prerequisite ${at + 1}`}
            isLabelHidden
            flag_type={type}
            value={required_value}
            onChange={(value) => onChange({ flag_key, required_value: value })}
            nullLabel="Any value"
            error={problems[`/prerequisites/${at}/required_value`]}
            isReadOnly={isReadOnly}
          />
        </div>
      )}
      {!isReadOnly && (
        <Tooltip label="Remove the prerequisite">
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.remove}
            aria-label={`Remove prerequisite ${at + 1}`}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {flag_key !== '' && <PrerequisiteStateLine flag_key={flag_key} flag={flag} />}
    </li>
  )
}

const NEEDS = [
  { value: 'on', label: 'be on for the user' },
  { value: 'value', label: 'give the value' },
]

/** The flag is missing: the value itself is all that is known. */
function typeOf(value: JsonValue): FlagType {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return Number.isSafeInteger(value) ? 'integer' : 'json'
}

const firstValue = (flag: Flag | undefined): Flag['default_value'] => flag?.default_value ?? null
