import type { ComponentProps } from 'react'

interface GridPartProps extends ComponentProps<'div'> {
  readonly role: 'grid' | 'rowgroup' | 'row' | 'columnheader' | 'gridcell'
}

/**
 * A part of a grid (ARIA, "Grid pattern") as an element of its own layout. The rows of a `table` can neither
 * be put in place one by one nor become cards. The focus goes to the controls in the cells.
 */
export function GridPart(props: GridPartProps) {
  return <div {...props} />
}
