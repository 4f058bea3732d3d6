import { Paper, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import type { CheckDescription } from '../descriptions/describe-checks.ts'
import type { ResultDescription } from '../descriptions/describe-result.ts'
import classes from './result-checks.module.css'

const ICONS: Readonly<Record<CheckDescription['state'], React.ReactNode>> = {
  good: <IconCircleCheck size={20} />,
  bad: <IconAlertTriangle size={20} />,
  open: <IconCircleDashed size={20} />,
}

/** The checks of the numbers: the split of the users, and how many there are. */
export function ResultChecks({ words }: { readonly words: ResultDescription }) {
  return (
    <section className={classes.checks} aria-label="Checks">
      <Check title="Split of users" words={words.split} />
      {words.power && <Check title="Number of users" words={words.power} />}
    </section>
  )
}

function Check({ title, words }: { readonly title: string; readonly words: CheckDescription }) {
  return (
    <Paper withBorder radius="md" className={classes.check} data-state={words.state}>
      <span className={classes.icon} aria-hidden="true">
        {ICONS[words.state]}
      </span>
      <div>
        <Title order={2} size="h6">
          {title}
        </Title>
        <Text size="sm" className={classes.text}>
          {words.text}
        </Text>
      </div>
    </Paper>
  )
}
