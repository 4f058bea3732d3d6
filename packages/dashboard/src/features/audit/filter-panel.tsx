import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './audit.module.css'

interface FilterPanelProps {
  /** The number of filters that are set. */
  readonly count: number
  readonly onClear: () => void
  /** True for more filters than one row holds. */
  readonly isLarge?: boolean
  readonly children: ReactNode
}

/** The filters of a log. A phone shows the entries first, and the filters when they are requested. */
export function FilterPanel({ count, onClear, isLarge = false, children }: FilterPanelProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" size="sm" className={classes.opener} aria-expanded={isOpen} onClick={toggle}>
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div className={classes.filters} data-open={isOpen || undefined} data-many={isLarge || undefined}>
        {children}
        {count > 0 && (
          <Button variant="subtle" color="gray" className={classes.clear} onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </>
  )
}
