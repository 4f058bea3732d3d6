import { FLAG_TYPES, type FlagType, type JsonValue } from '@burgee/evaluation'
import { ActionIcon, Autocomplete, Button, Checkbox, Group, NumberInput, Select, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ValueInput } from '../../../shared/editors/value-input.tsx'
import type { Demand } from './demand-text.ts'
import type { KnownFlags } from './use-known-flags.ts'

interface DemandFieldsProps {
  readonly demand: Demand
  readonly onChange: (demand: Demand) => void
  readonly flag: string
  readonly known: KnownFlags
}

const SUGGESTIONS_MAX = 50

/** The fields of a demand, by its kind. */
export function DemandFields(props: DemandFieldsProps) {
  const { demand, flag, known, onChange } = props
  const type = known.typeOf(flag)
  const { at_most, implies, never, only, shape, ...rest } = demand
  if (never)
    return (
      <Values
        label="Value"
        type={type}
        values={never}
        onChange={(all) => onChange({ ...rest, never: all })}
      />
    )
  if (only)
    return (
      <Values label="Value" type={type} values={only} onChange={(all) => onChange({ ...rest, only: all })} />
    )
  if (at_most)
    return <ShareFields share={at_most} type={type} onChange={(one) => onChange({ ...rest, at_most: one })} />
  if (implies) return <ImpliedFields implied={implies} {...props} />
  return <ShapeFields shape={shape ?? {}} type={type} onChange={(one) => onChange({ ...rest, shape: one })} />
}

interface ValuesProps {
  readonly label: string
  readonly type: FlagType
  readonly values: readonly JsonValue[]
  readonly onChange: (values: JsonValue[]) => void
}

function Values({ label, onChange, type, values }: ValuesProps) {
  return (
    <Stack gap="xs" align="flex-start">
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity of their own
        <Group key={at} gap="xs" align="flex-end" wrap="nowrap" w="100%">
          <OneValue
            label={values.length > 1 ? `${label} ${at + 1}` : label}
            type={type}
            value={value}
            onChange={(next) => onChange(values.with(at, next))}
          />
          {values.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove value ${at + 1}`}
              onClick={() => onChange(values.toSpliced(at, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...values, values.at(-1) ?? null])}
      >
        Add value
      </Button>
    </Stack>
  )
}

interface OneValueProps {
  readonly label: string
  readonly type: FlagType
  readonly value: unknown
  readonly onChange: (value: JsonValue) => void
}

/** A value of the flag; one of another type, which the flag once had, is JSON. */
function OneValue({ label, onChange, type, value }: OneValueProps) {
  // The value was read from JSON.
  const given = value as JsonValue
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <ValueInput
        label={label}
        flag_type={fits(given, type) ? type : 'json'}
        value={given}
        onChange={onChange}
      />
    </div>
  )
}

function fits(value: JsonValue, type: FlagType): boolean {
  if (value === null) return true
  if (type === 'integer') return Number.isInteger(value)
  return type === 'json' || typeof value === type
}

interface ShareFieldsProps extends Pick<OneValueProps, 'type'> {
  readonly share: NonNullable<Demand['at_most']>
  readonly onChange: (share: NonNullable<Demand['at_most']>) => void
}

function ShareFields({ onChange, share, type }: ShareFieldsProps) {
  return (
    <>
      <NumberInput
        label="Largest share"
        description="Of the users with the same attributes."
        suffix="%"
        min={0}
        max={100}
        value={share.percent}
        onChange={(percent) => onChange({ ...share, percent: Number(percent) })}
      />
      <OneValue
        label="Value"
        type={type}
        value={share.value}
        onChange={(value) => onChange({ ...share, value })}
      />
    </>
  )
}

function ImpliedFields({
  demand,
  flag,
  implied,
  known,
  onChange,
}: DemandFieldsProps & { readonly implied: NonNullable<Demand['implies']> }) {
  const set = (fields: Partial<typeof implied>) => onChange({ ...demand, implies: { ...implied, ...fields } })
  return (
    <>
      <OneValue
        label="Users who get"
        type={known.typeOf(flag)}
        value={implied.value}
        onChange={(value) => set({ value })}
      />
      <Autocomplete
        label="Of the other flag"
        data={[...known.keys]}
        limit={SUGGESTIONS_MAX}
        value={implied.flag}
        onChange={(other) => set({ flag: other })}
      />
      <OneValue
        label="Also get"
        type={known.typeOf(implied.flag)}
        value={implied.is}
        onChange={(is) => set({ is })}
      />
    </>
  )
}

type Shape = NonNullable<Demand['shape']>

const EXISTENCE = [
  { value: 'any', label: 'Not demanded' },
  { value: 'true', label: 'It exists' },
  { value: 'false', label: 'It does not exist' },
]
const TYPES = [
  { value: 'any', label: 'Not demanded' },
  ...FLAG_TYPES.map((value) => ({ value, label: value })),
]

interface ShapeFieldsProps extends Pick<OneValueProps, 'type'> {
  readonly shape: Shape
  readonly onChange: (shape: Shape) => void
}

function ShapeFields({ onChange, shape, type }: ShapeFieldsProps) {
  const set = (fields: { readonly [Field in keyof Shape]: Shape[Field] | undefined }) =>
    onChange(
      Object.fromEntries(Object.entries({ ...shape, ...fields }).filter(([, one]) => one !== undefined)),
    )
  const { default_value, disabled_value, exists, flag_type } = shape
  const own = flag_type ?? type
  return (
    <>
      <Select
        label="Existence"
        data={EXISTENCE}
        value={String(exists ?? 'any')}
        onChange={(next) => set({ exists: next === 'any' ? undefined : next === 'true' })}
        allowDeselect={false}
      />
      <Select
        label="Type"
        data={TYPES}
        value={flag_type ?? 'any'}
        onChange={(next) => set({ flag_type: FLAG_TYPES.find((one) => one === next) })}
        allowDeselect={false}
      />
      <OptionalValue
        label="Default value"
        type={own}
        value={default_value}
        onChange={(value) => set({ default_value: value })}
      />
      <OptionalValue
        label="Disabled value"
        type={own}
        value={disabled_value}
        onChange={(value) => set({ disabled_value: value })}
      />
    </>
  )
}

interface OptionalValueProps extends Omit<OneValueProps, 'onChange'> {
  readonly onChange: (value: JsonValue | undefined) => void
}

function OptionalValue({ label, onChange, type, value }: OptionalValueProps) {
  const isDemanded = value !== undefined
  return (
    <>
      <Checkbox
        label={`Demand the ${label.toLowerCase()}`}
        checked={isDemanded}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? (type === 'boolean' ? false : null) : undefined)
        }
      />
      {isDemanded && <OneValue label={label} type={type} value={value} onChange={onChange} />}
    </>
  )
}
