import type { JsonValue } from '@burgee/evaluation'
import { ActionIcon, Anchor, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useKeyedList } from '../../../shared/editors/use-keyed-list.ts'
import { ValueInput } from '../../../shared/editors/value-input.tsx'
import classes from './flow.module.css'
import type { FlagDraft } from './use-flag-draft.ts'

interface Named {
  readonly name: string
  readonly value: JsonValue
}

/** Names for values, which results and pages show beside them. Closed for flags without names. */
export function NamesOfValues({ editor }: { readonly editor: FlagDraft }) {
  const { draft, locked } = editor
  const [isOpen, setOpen] = useState(false)
  if (!isOpen && draft.variant_names === undefined) {
    if (locked !== undefined || draft.flag_type === 'boolean') return null
    return (
      <Anchor component="button" type="button" size="xs" w="fit-content" onClick={() => setOpen(true)}>
        Name the values
      </Anchor>
    )
  }
  return <NameList editor={editor} />
}

/** While two rows have one name, or a row has none, they stay in the form and are not in the draft. */
function NameList({ editor }: { readonly editor: FlagDraft }) {
  const { draft, edit, locked, problems } = editor
  const [rows, setRows] = useState<readonly Named[]>(() => toRows(draft.variant_names))
  const change = (next: Named[]) => {
    setRows(next)
    const names = new Map(next.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]))
    edit({ variant_names: names.size === 0 ? undefined : Object.fromEntries(names) })
  }
  const list = useKeyedList(rows, change)
  const isReadOnly = locked !== undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame of its own
    <div role="group" aria-label="Names of values">
      <Input.Label component="div" size="sm">
        Names of values
      </Input.Label>
      {rows.map((row, at) => (
        <div key={list.keys[at]} className={classes.named}>
          <TextInput
            aria-label={`Name ${at + 1}`}
            placeholder="Name"
            value={row.name}
            onChange={({ currentTarget }) => list.replace(at, { ...row, name: currentTarget.value })}
            error={nameProblem(rows, at)}
            readOnly={isReadOnly}
          />
          <ValueInput
            label={`Value of name ${at + 1}`}
            isLabelHidden
            flag_type={draft.flag_type}
            value={row.value}
            onChange={(value) => list.replace(at, { ...row, value })}
            error={problems[`/variant_names/${row.name}`]}
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={4}
              aria-label={`Remove name ${at + 1}`}
              onClick={() => list.remove(at)}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => list.insert({ name: '', value: draft.default_value })}
        >
          Add name
        </Button>
      )}
    </div>
  )
}

const toRows = (names: Readonly<Record<string, JsonValue>> | undefined): readonly Named[] =>
  Object.entries(names ?? { '': null }).map(([name, value]) => ({ name, value }))

function nameProblem(rows: readonly Named[], at: number): string | undefined {
  const name = rows[at]?.name ?? ''
  if (name === '') return undefined
  return rows.findIndex((row) => row.name === name) < at ? 'This name is above already.' : undefined
}
