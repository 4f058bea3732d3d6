import type { Environment } from '@burgee/contract'
import { Button, Text, Title } from '@mantine/core'
import { Children, type ReactNode, useId, useState } from 'react'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './overview.module.css'

/** Rows of a card until the rest is opened. */
const ROWS_SHOWN = 6

interface OverviewCardProps {
  readonly title: string
  /** Shown where there are no rows. */
  readonly empty: string
  /** True if the number of rows means something. */
  readonly isCounted?: boolean
  readonly children: readonly ReactNode[]
}

/** A part of the overview: a few rows, and how many more there are. */
export function OverviewCard({ title, empty, isCounted = true, children }: OverviewCardProps) {
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  const rows = Children.toArray(children)
  const rest = rows.length - ROWS_SHOWN
  return (
    <section className={classes.card} aria-labelledby={id}>
      <Title order={2} size="h6" id={id}>
        {title}
        {isCounted && rows.length > 0 && <span className={classes.count}>{rows.length}</span>}
      </Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <ul className={classes.rows}>{isWhole ? rows : rows.slice(0, ROWS_SHOWN)}</ul>
      )}
      {rest > 0 && (
        <Button variant="subtle" size="compact-xs" mt={4} ml={-8} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show ${rest.toLocaleString('en')} more`}
        </Button>
      )}
    </section>
  )
}

interface OverviewRowProps {
  readonly environment: Environment
  readonly at?: string
  readonly children: ReactNode
}

/** One row: what it is about, its environment and its time. */
export const OverviewRow = ({ environment, at, children }: OverviewRowProps) => (
  <li className={classes.row}>
    <span className={classes.what}>{children}</span>
    <span className={classes.where}>
      <EnvironmentDot color={environment.color} size={8} />
      {environment.name}
    </span>
    {at !== undefined && <Time at={at} size="xs" />}
  </li>
)
