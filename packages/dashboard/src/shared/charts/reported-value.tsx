import { Group, Text, Tooltip } from '@mantine/core'
import classes from './reported-value.module.css'

const TOOLTIP_MAX = 600

interface ReportedValueProps {
  readonly value: string
  /** The color of the value's series, where a chart beside has one. */
  readonly color?: string
}

/** A value that an SDK reported, as one line of text, and more of it in a tooltip. */
export function ReportedValue({ value, color }: ReportedValueProps) {
  const isEmpty = value === ''
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      {color && <span className={classes.dot} style={{ background: color }} aria-hidden="true" />}
      <Tooltip
        label={<bdi className={classes.more}>{value.slice(0, TOOLTIP_MAX)}</bdi>}
        disabled={value.length < 24}
      >
        <Text span className={classes.value} data-empty={isEmpty || undefined}>
          <bdi>{isEmpty ? 'empty text' : value}</bdi>
        </Text>
      </Tooltip>
    </Group>
  )
}
