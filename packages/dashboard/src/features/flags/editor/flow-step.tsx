import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './flow.module.css'

interface FlowStepProps {
  readonly icon: ReactNode
  readonly title: string
  /** The effect of this step, in a sentence. */
  readonly summary: ReactNode
  /** At the right of the title: a state or a small action. */
  readonly aside?: ReactNode
  readonly children?: ReactNode
}

/** One step of what evaluation does, in its order, so that the page reads as "who gets what". */
export function FlowStep({ icon, title, summary, aside, children }: FlowStepProps) {
  const id = useId()
  return (
    <section className={classes.step} aria-labelledby={id}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <div className={classes.body}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {aside}
        </Group>
        <Text size="sm" c="dimmed" component="div" className={classes.summary}>
          {summary}
        </Text>
        {children && <div className={classes.content}>{children}</div>}
      </div>
    </section>
  )
}
