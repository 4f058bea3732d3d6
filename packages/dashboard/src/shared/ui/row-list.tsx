import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './row-list.module.css'

interface RowListProps {
  /** The name of the list's items, for screen readers: "Webhooks". */
  readonly label: string
  /** Widths of the columns beside the title, on wide pages: `8rem 10rem`. */
  readonly columns?: string
  readonly children: ReactNode
}

/** A quiet list of things with a name: columns that line up on wide pages, stacked on narrow ones. */
export function RowList({ label, columns = '', children }: RowListProps) {
  return (
    <Box
      component="ul"
      aria-label={label}
      className={classes.list}
      style={{ '--columns': `minmax(0, 1fr) ${columns} auto` }}
    >
      {children}
    </Box>
  )
}

interface RowProps {
  readonly icon?: ReactNode
  readonly title: ReactNode
  /** Badges beside the title. */
  readonly badges?: ReactNode
  readonly subtitle?: ReactNode
  /** One element for each of the list's columns. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
  /** The content that opens below the row. */
  readonly below?: ReactNode
}

export function Row({ icon, title, badges, subtitle, children, actions, below }: RowProps) {
  return (
    <li className={classes.item}>
      <div className={classes.row}>
        <div className={classes.main}>
          {icon && <span className={classes.icon}>{icon}</span>}
          <div className={classes.text}>
            <div className={classes.heading}>
              <Text component="span" size="sm" fw={560} className={classes.title} dir="auto">
                {title}
              </Text>
              {badges}
            </div>
            {subtitle && (
              <Text size="xs" c="dimmed" component="div" className={classes.subtitle}>
                {subtitle}
              </Text>
            )}
          </div>
        </div>
        {children}
        <div className={classes.actions}>{actions}</div>
      </div>
      {below}
    </li>
  )
}
