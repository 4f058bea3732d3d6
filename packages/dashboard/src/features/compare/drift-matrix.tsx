import type { Environment } from '@burgee/contract'
import { Group, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useRef } from 'react'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import classes from './compare.module.css'
import type { DriftRow } from './drift.ts'
import { DriftCell, type DriftFacts } from './drift-cell.tsx'

interface DriftMatrixProps {
  readonly rows: readonly DriftRow[]
  readonly environments: readonly Environment[]
  readonly source: Environment
  /** A search is on: fewer rows reveal nothing of the project. */
  readonly isFiltered: boolean
  readonly factsOf: (flag_key: string, environment: Environment) => DriftFacts
  readonly onOpen: (flag_key: string, environment_id: string) => void
}

const ROW_PX = 52
const OVERSCAN = 12

/** Rows are flags, columns environments. Only the rows in sight are drawn. */
export function DriftMatrix({ rows, environments, source, isFiltered, factsOf, onOpen }: DriftMatrixProps) {
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  })
  const columns = [source, ...environments.filter(({ id }) => id !== source.id)]
  const style: CSSProperties & Record<'--columns', number> = { '--columns': columns.length }
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {isFiltered
          ? 'No flag matches. Search for something else, or show all flags.'
          : `Every environment is the same as ${source.name}.`}
      </Text>
    )
  }
  const items = virtual.getVirtualItems()
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
      tabIndex={0}
      aria-label="Flags by environment, scrollable"
      style={style}
    >
      <table className={classes.table} aria-label="Flags by environment" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={classes.key}>
              Flag
            </th>
            {columns.map((environment) => (
              <th scope="col" key={environment.id}>
                <Group gap={8} wrap="nowrap" miw={0}>
                  <EnvironmentDot color={environment.color} />
                  <Text size="sm" fw={600} truncate>
                    {environment.name}
                  </Text>
                </Group>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={items[0]?.start ?? 0} />
          {items.map(({ index }) => {
            const row = rows[index]
            return (
              row && (
                <tr key={row.key} aria-rowindex={index + 2} style={{ height: ROW_PX }}>
                  <th scope="row" className={classes.key} title={row.key}>
                    {row.key}
                  </th>
                  {columns.map((environment) => (
                    <DriftCell
                      key={environment.id}
                      row={row}
                      environment={environment}
                      source={source}
                      facts={factsOf(row.key, environment)}
                      onOpen={onOpen}
                    />
                  ))}
                </tr>
              )
            )
          })}
          <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  )
}

/** The room of the rows that are not drawn. */
const Gap = ({ height }: { readonly height: number }) =>
  height > 0 && (
    <tr>
      <td className={classes.gap} style={{ height }} />
    </tr>
  )
