import { Anchor } from '@mantine/core'
import { memo, useState } from 'react'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EnvironmentCard } from './environment-card.tsx'
import classes from './environment-strip.module.css'
import { orderForStrip } from './order-for-strip.ts'

/** Cards that are shown at first; each reads its flag, its last change and its programs. */
const SHOWN_AT_FIRST = 6

/** One flag in every environment of its project: state, what it serves, last change and switch. */
export const EnvironmentStrip = memo(function EnvironmentStrip({ flag_key }: { readonly flag_key: string }) {
  const { environments, environment_id } = useScope()
  const [isComplete, setComplete] = useState(false)
  if (environments.length < 2) return null
  const ordered = orderForStrip(environments, environment_id)
  const shown = isComplete ? ordered : ordered.slice(0, SHOWN_AT_FIRST)
  return (
    <section className={classes.strip} aria-label="In all environments">
      <ul className={classes.cards}>
        {shown.map((environment) => (
          <EnvironmentCard key={environment.id} environment={environment} flag_key={flag_key} />
        ))}
      </ul>
      {shown.length < ordered.length && (
        <Anchor component="button" type="button" size="sm" mt={6} onClick={() => setComplete(true)}>
          Show all {ordered.length} environments
        </Anchor>
      )}
    </section>
  )
})
