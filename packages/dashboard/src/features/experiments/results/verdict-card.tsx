import type { ExperimentResults } from '@burgee/contract'
import { List, Paper, Text, ThemeIcon, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconHourglass,
  IconScale,
  IconTrendingDown,
  IconTrophy,
} from '@tabler/icons-react'
import { formatCount, formatShare } from '../../../shared/charts/format-number.ts'
import { SPLIT_REMEDIES } from '../descriptions/describe-checks.ts'
import type { ResultDescription, ResultTone } from '../descriptions/describe-result.ts'
import classes from './verdict-card.module.css'

const LOOK: Readonly<Record<ResultTone, { readonly color: string; readonly icon: React.ReactNode }>> = {
  better: { color: 'teal', icon: <IconTrophy size={20} /> },
  worse: { color: 'orange', icon: <IconTrendingDown size={20} /> },
  broken: { color: 'red', icon: <IconAlertTriangle size={20} /> },
  undecided: { color: 'gray', icon: <IconScale size={20} /> },
  waiting: { color: 'gray', icon: <IconHourglass size={20} /> },
}

interface VerdictCardProps {
  readonly words: ResultDescription
  readonly results: ExperimentResults
}

/** The one sentence that people came for, and how much it rests on. */
export function VerdictCard({ words, results }: VerdictCardProps) {
  const { color, icon } = LOOK[words.tone]
  const { total_converted, total_exposed } = results
  return (
    <Paper withBorder radius="md" className={classes.card} data-tone={words.tone}>
      <ThemeIcon size={40} radius="xl" variant="light" color={color} className={classes.icon}>
        {icon}
      </ThemeIcon>
      <div className={classes.words} role="status">
        <Title order={2} size="h4" className={classes.headline}>
          {words.headline}
        </Title>
        <Text size="sm" mt={4}>
          {words.explanation}
        </Text>
        {words.tone === 'broken' && (
          <List size="sm" mt="xs" spacing={2}>
            {SPLIT_REMEDIES.map((remedy) => (
              <List.Item key={remedy}>{remedy}</List.Item>
            ))}
          </List>
        )}
        {words.controlNote && (
          <Text size="sm" c="dimmed" mt={6}>
            {words.controlNote}
          </Text>
        )}
      </div>
      <dl className={classes.figures}>
        <div>
          <dt>Users</dt>
          <dd>{formatCount(total_exposed)}</dd>
        </div>
        <div>
          <dt>Converted</dt>
          <dd>{formatCount(total_converted)}</dd>
        </div>
        <div>
          <dt>Conversion</dt>
          <dd>{total_exposed === 0 ? '–' : formatShare(total_converted / total_exposed)}</dd>
        </div>
      </dl>
    </Paper>
  )
}
