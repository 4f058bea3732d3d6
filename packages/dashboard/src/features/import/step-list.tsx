import { IconCheck } from '@tabler/icons-react'
import classes from './import.module.css'
import type { Stage } from './use-import.ts'

const STEPS = [
  { kind: 'files', label: 'Files' },
  { kind: 'environments', label: 'Environments' },
  { kind: 'review', label: 'Review' },
  { kind: 'done', label: 'Done' },
] as const satisfies readonly { readonly kind: Stage['kind']; readonly label: string }[]

/** The steps of the import, with the one that is open. */
export function StepList({ current }: { readonly current: Stage['kind'] }) {
  const at = STEPS.findIndex(({ kind }) => kind === current)
  return (
    <ol className={classes.steps} aria-label="Steps of the import">
      {STEPS.map(({ kind, label }, index) => {
        const isDone = index < at || current === 'done'
        return (
          <li
            key={kind}
            className={classes.step}
            data-state={index === at ? 'current' : isDone ? 'done' : 'next'}
            {...(index === at && { 'aria-current': 'step' as const })}
          >
            <span className={classes.step_number} aria-hidden="true">
              {isDone ? <IconCheck size={14} stroke={2.4} /> : index + 1}
            </span>
            <span className={classes.step_label}>{label}</span>
          </li>
        )
      })}
    </ol>
  )
}
