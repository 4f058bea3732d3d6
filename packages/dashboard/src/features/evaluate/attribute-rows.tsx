import { ActionIcon, Autocomplete, Button, NativeSelect, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './evaluate.module.css'
import { ATTRIBUTE_TYPES, type AttributeRow, type AttributeType } from './subject.ts'

interface AttributeRowsProps {
  readonly rows: readonly AttributeRow[]
  /** By the row's id. */
  readonly problems: Readonly<Record<number, string>>
  readonly knownAttributes: readonly string[]
  readonly onChange: (rows: readonly AttributeRow[]) => void
}

/** Attributes one by one: name, type and value. */
export function AttributeRows({ rows, problems, knownAttributes, onChange }: AttributeRowsProps) {
  const unused = knownAttributes.filter((name) => rows.every((row) => row.name !== name))
  const [addedId, setAddedId] = useState<number | null>(null)
  const add = () => {
    const id = Math.max(0, ...rows.map((row) => row.id)) + 1
    setAddedId(id)
    onChange([...rows, { id, name: '', type: 'text', text: '', items: [] }])
  }
  return (
    <fieldset className={classes.attributes} aria-labelledby="attributes-label">
      {rows.map((row, index) => (
        <Row
          key={row.id}
          row={row}
          position={index + 1}
          problem={problems[row.id]}
          names={unused}
          isNew={row.id === addedId}
          onChange={(changes) =>
            onChange(rows.map((each) => (each.id === row.id ? { ...each, ...changes } : each)))
          }
          onRemove={() => onChange(rows.filter((each) => each.id !== row.id))}
        />
      ))}
      <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={add}>
        Add attribute
      </Button>
    </fieldset>
  )
}

interface RowProps {
  readonly row: AttributeRow
  readonly position: number
  readonly problem: string | undefined
  readonly names: readonly string[]
  /** Just added: the keyboard goes there. */
  readonly isNew: boolean
  readonly onChange: (changes: Partial<AttributeRow>) => void
  readonly onRemove: () => void
}

function Row({ row, position, problem, names, isNew, onChange, onRemove }: RowProps) {
  return (
    <div className={classes.attribute}>
      <Autocomplete
        size="xs"
        aria-label={`Name of attribute ${position}`}
        placeholder="Attribute"
        data={[...names]}
        value={row.name}
        autoFocus={isNew}
        error={problem !== undefined}
        onChange={(name) => onChange({ name })}
      />
      <NativeSelect
        size="xs"
        aria-label={`Type of attribute ${position}`}
        data={ATTRIBUTE_TYPES.map((type) => ({ value: type, label: TYPE_LABELS[type] }))}
        value={row.type}
        onChange={({ currentTarget: { value } }) => onChange(changeType(row, value))}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={onRemove}
        aria-label={`Remove attribute ${position}`}
      >
        <IconX size={15} />
      </ActionIcon>
      <div className={classes.attributeValue}>
        <ValueField row={row} position={position} problem={problem} onChange={onChange} />
      </div>
    </div>
  )
}

const TYPE_LABELS: Readonly<Record<AttributeType, string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'True/false',
  list: 'List',
}

/** The row with another type. The typed text is kept if the new type can have it. */
function changeType({ items, text }: AttributeRow, chosen: string): Partial<AttributeRow> {
  const type = ATTRIBUTE_TYPES.find((each) => each === chosen) ?? 'text'
  if (type === 'list') return { type, items: text === '' ? items : [text] }
  if (type === 'boolean') return { type, text: text === 'false' ? 'false' : 'true' }
  return { type, text: text === '' ? (items[0] ?? '') : text }
}

function ValueField({ row, position, problem, onChange }: Omit<RowProps, 'names' | 'isNew' | 'onRemove'>) {
  const label = { 'aria-label': `Value of attribute ${position}` }
  if (row.type === 'list') {
    return (
      <TagsInput
        {...label}
        size="xs"
        placeholder={row.items.length === 0 ? 'Type and press Enter' : ''}
        value={[...row.items]}
        error={problem}
        onChange={(items) => onChange({ items })}
        acceptValueOnBlur
        // Evaluation is case-sensitive: NO is not no.
        isDuplicate={(item, items) => items.includes(item)}
      />
    )
  }
  if (row.type === 'boolean') {
    return (
      <NativeSelect
        {...label}
        size="xs"
        data={['true', 'false']}
        value={row.text}
        error={problem}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
    )
  }
  return (
    <TextInput
      {...label}
      size="xs"
      placeholder="Value"
      inputMode={row.type === 'number' ? 'decimal' : 'text'}
      value={row.text}
      error={problem}
      onChange={(event) => onChange({ text: event.currentTarget.value })}
    />
  )
}
