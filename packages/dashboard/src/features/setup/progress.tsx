import { IconCheck } from '@tabler/icons-react'
import classes from './setup.module.css'

const STEPS = [
  { name: 'workspace', label: 'Workspace' },
  { name: 'account', label: 'Your account' },
  { name: 'connect', label: 'Connect' },
] as const
export type SetupStep = (typeof STEPS)[number]['name']

/** The progress through the steps. */
export function Progress({ at }: { readonly at: SetupStep }) {
  const current = STEPS.findIndex(({ name }) => name === at)
  return (
    <ol className={classes.progress} aria-label="Setup">
      {STEPS.map(({ name, label }, index) => (
        <li
          key={name}
          aria-current={index === current ? 'step' : undefined}
          data-state={index < current ? 'done' : undefined}
        >
          <span className={classes.number} aria-hidden="true">
            {index < current ? <IconCheck size={13} stroke={3} /> : index + 1}
          </span>
          {label}
        </li>
      ))}
    </ol>
  )
}
