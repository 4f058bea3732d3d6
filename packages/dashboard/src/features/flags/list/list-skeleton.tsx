import { Skeleton } from '@mantine/core'
import classes from './flag-table.module.css'

const ROWS = 10

/** The list while it is loaded: rows of the final height, with placeholders for their cells. */
export function ListSkeleton() {
  return (
    <div className={classes.grid} aria-busy="true">
      <div className={classes.head}>
        <div className={classes.columns} />
      </div>
      {Array.from({ length: ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className={classes.ghost}>
          <Skeleton width={34} height={18} radius="xl" />
          <div>
            <Skeleton width={180} height={11} />
            <Skeleton width={120} height={9} mt={8} />
          </div>
        </div>
      ))}
    </div>
  )
}
