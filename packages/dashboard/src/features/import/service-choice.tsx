import { Radio, Text } from '@mantine/core'
import classes from './import.module.css'
import { IMPORT_SERVICES } from './services.ts'

interface ServiceChoiceProps {
  /** Empty: none is chosen yet. */
  readonly value: string
  readonly isDisabled: boolean
  readonly onChange: (system: string) => void
}

/** The services that flags can be imported from. */
export function ServiceChoice({ isDisabled, onChange, value }: ServiceChoiceProps) {
  return (
    <Radio.Group aria-label="Service" value={value} onChange={onChange}>
      <div className={classes.services}>
        {IMPORT_SERVICES.map(({ files, name, system }) => (
          <Radio.Card
            key={system}
            value={system}
            disabled={isDisabled}
            className={classes.service}
            aria-label={name}
          >
            <Radio.Indicator size="xs" />
            <span>
              <Text component="span" display="block" size="sm" fw={600}>
                {name}
              </Text>
              <Text component="span" display="block" size="xs" c="dimmed">
                {files}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}
