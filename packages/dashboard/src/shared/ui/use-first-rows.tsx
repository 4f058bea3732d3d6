import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** Rows that are shown at first, and that each press of the button adds. */
const ROWS = 100

interface FirstRows<T> {
  readonly shown: readonly T[]
  /** The button below them; null where all are shown. */
  readonly more: ReactNode
}

/** The first rows of a list that may be thousands long, and the button that brings more of them. */
export function useFirstRows<T>(rows: readonly T[]): FirstRows<T> {
  const [limit, setLimit] = useState(ROWS)
  const left = rows.length - limit
  if (left <= 0) return { shown: rows, more: null }
  const more = (
    <Button
      variant="default"
      size="xs"
      mt="sm"
      mx="auto"
      display="block"
      onClick={() => setLimit(limit + ROWS)}
    >
      Show {Math.min(ROWS, left)} more of {left.toLocaleString('en')}
    </Button>
  )
  return { shown: rows.slice(0, limit), more }
}
