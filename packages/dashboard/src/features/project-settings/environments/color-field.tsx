import { COLOR_PATTERN } from '@burgee/contract'
import { ColorSwatch, Input, TextInput } from '@mantine/core'
import { useId } from 'react'
import classes from './color-field.module.css'

interface ColorFieldProps {
  readonly color: string
  readonly onChange: (color: string) => void
  readonly error: string | undefined
}

/** Red, amber and green are what the first three environments have. */
const SWATCHES = [
  ['Red', '#ef4444'],
  ['Amber', '#f59e0b'],
  ['Green', '#22c55e'],
  ['Teal', '#14b8a6'],
  ['Sky', '#0ea5e9'],
  ['Indigo', '#6366f1'],
  ['Violet', '#a855f7'],
  ['Pink', '#ec4899'],
  ['Slate', '#64748b'],
] as const

const HEX = new RegExp(COLOR_PATTERN)

/** An environment's color, which frames its pages: a swatch, or any other as hex. */
export function ColorField({ color, onChange, error }: ColorFieldProps) {
  const group = useId()
  return (
    <fieldset className={classes.field}>
      <Input.Label component="legend" labelElement="div">
        Color
      </Input.Label>
      <Input.Description mb={8}>It frames every page of the environment.</Input.Description>
      <div className={classes.swatches}>
        {SWATCHES.map(([name, hex]) => (
          <label key={hex} className={classes.swatch} title={name}>
            <input
              type="radio"
              name={group}
              aria-label={name}
              checked={color.toLowerCase() === hex}
              onChange={() => onChange(hex)}
            />
            <ColorSwatch color={hex} size={24} withShadow={false} aria-hidden="true" />
          </label>
        ))}
        <TextInput
          size="xs"
          w={132}
          aria-label="Color as hex"
          leftSection={<ColorSwatch color={HEX.test(color) ? color : 'transparent'} size={14} />}
          value={color}
          onChange={(event) => onChange(event.currentTarget.value)}
          spellCheck={false}
          autoComplete="off"
          error={error !== undefined}
        />
      </div>
      {error && <Input.Error mt={6}>{error}</Input.Error>}
    </fieldset>
  )
}
