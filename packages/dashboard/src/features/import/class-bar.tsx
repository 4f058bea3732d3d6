import { IMPORT_CLASSES, type ImportClass } from '@burgee/contract'
import { CLASS_WORDS } from './class-words.ts'
import classes from './import.module.css'

export type ClassCounts = Readonly<Record<ImportClass, number>>

/** The shares of the classes as one bar. The counts are in words beside it. */
export function ClassBar({ counts, label }: { readonly counts: ClassCounts; readonly label: string }) {
  return (
    <div className={classes.bar} role="img" aria-label={`${label}: ${describeCounts(counts)}`}>
      {IMPORT_CLASSES.filter((one) => counts[one] > 0).map((one) => {
        const Icon = CLASS_WORDS[one].icon
        return (
          <span key={one} className={classes.part} data-class={one} style={{ flexGrow: counts[one] }}>
            <Icon size={14} stroke={2.4} aria-hidden="true" />
            {counts[one].toLocaleString('en')}
          </span>
        )
      })}
    </div>
  )
}

/** The counts in words: `7 exact, 1 approximate`. */
export const describeCounts = (counts: ClassCounts): string =>
  IMPORT_CLASSES.filter((one) => counts[one] > 0)
    .map((one) => `${counts[one].toLocaleString('en')} ${CLASS_WORDS[one].label.toLowerCase()}`)
    .join(', ') || 'no flags'

/** The sign of a class: its color, and its form for those who do not see it. */
export function ClassSign({ of }: { readonly of: ImportClass }) {
  const Icon = CLASS_WORDS[of].icon
  return (
    <span className={classes.sign} data-class={of} aria-hidden="true">
      <Icon size={12} stroke={2.6} />
    </span>
  )
}
