import { Badge, Group, Paper, Text, Title } from '@mantine/core'
import { ReportedValue } from '../../../shared/charts/reported-value.tsx'
import type { ComparisonDescription, Verdict } from '../descriptions/describe-comparison.ts'
import classes from './comparison-list.module.css'

const VERDICTS: Readonly<Record<Verdict, string>> = {
  better: 'Better',
  worse: 'Worse',
  undecided: 'Undecided',
  early: 'Too early',
  void: 'Not reliable',
}

interface ComparisonListProps {
  readonly comparisons: readonly ComparisonDescription[]
  readonly severalNote: string | null
}

/** The numbers as sentences, for readers who do not use p-values every day. */
export function ComparisonList({ comparisons, severalNote }: ComparisonListProps) {
  return (
    <Paper component="section" withBorder radius="md" className={classes.frame} aria-labelledby="in-words">
      <Title order={2} size="h5" id="in-words">
        In plain words
      </Title>
      {comparisons.map((words) => (
        <article key={words.variant} className={classes.comparison}>
          <Group gap={8} wrap="nowrap" component="h3" className={classes.name}>
            <ReportedValue value={words.variant} />
            <Badge
              size="sm"
              variant="default"
              tt="none"
              fw={500}
              flex="none"
              leftSection={<span className={classes.dot} data-verdict={words.verdict} />}
            >
              {VERDICTS[words.verdict]}
            </Badge>
          </Group>
          <div className={classes.sentences}>
            <p>
              <b>{words.difference}</b>
            </p>
            <p>{words.anyTime}</p>
            {words.chance && (
              <p className={classes.quiet}>
                {words.chance} {words.range}
              </p>
            )}
          </div>
        </article>
      ))}
      {severalNote && (
        <Text size="xs" c="dimmed" className={classes.note}>
          {severalNote}
        </Text>
      )}
    </Paper>
  )
}
