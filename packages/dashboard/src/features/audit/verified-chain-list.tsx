import type { AuditVerification } from '@burgee/contract'
import { Code, Paper, Text } from '@mantine/core'
import classes from './audit.module.css'
import { describeProblem } from './describe-verification.ts'

const SHOWN_MAX = 50

interface VerifiedChainListProps {
  readonly lines: readonly AuditVerification[]
  readonly nameOf: (chain: string) => string
}

/** The ends of verified chains, to be kept elsewhere. */
export function VerifiedChainList({ lines, nameOf }: VerifiedChainListProps) {
  const omitted = lines.length - SHOWN_MAX
  return (
    <Paper withBorder p="sm" mb="md">
      <Text size="xs" c="dimmed" mb={6}>
        Each entry holds the hash of the entry before it. Keep these hashes elsewhere: a rewritten log does
        not lead to them.
      </Text>
      <ul className={classes.chains} aria-label="Chains">
        {lines.slice(0, SHOWN_MAX).map((line) => (
          <li key={line.chain}>
            <Text size="sm" {...(!line.ok && { c: 'red' })}>
              {nameOf(line.chain)}: {describeProblem(line) ?? `entry ${line.head.seq.toLocaleString('en')}`}
            </Text>
            <Code className={classes.hash}>{line.head.hash}</Code>
          </li>
        ))}
      </ul>
      {omitted > 0 && (
        <Text size="xs" c="dimmed">
          And {omitted.toLocaleString('en')} more: GET /api/audit/heads has all of them.
        </Text>
      )}
    </Paper>
  )
}
