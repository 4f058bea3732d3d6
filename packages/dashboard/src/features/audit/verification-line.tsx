import type { AuditVerification } from '@burgee/contract'
import { Alert, Button, Collapse, Group, Loader, Text } from '@mantine/core'
import { useDisclosure, useInterval } from '@mantine/hooks'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Failure } from '../../shared/ui/failure.tsx'
import { Time } from '../../shared/ui/time.tsx'
import classes from './audit.module.css'
import { describeProblem, describeVerified } from './describe-verification.ts'
import { VerifiedChainList } from './verified-chain-list.tsx'
import { type VerifiedChains, verificationQuery } from './verify-log.ts'

interface VerificationLineProps {
  readonly chains: VerifiedChains
  readonly nameOf: (chain: string) => string
  /** The link to an entry by its id. */
  readonly linkOf: (id: number, text: string) => ReactNode
}

const REDRAW_EVERY_MS = 30_000

/** The result of verifying the chains of the log: how far, when, or the first entry that does not fit. */
export function VerificationLine({ chains, linkOf, nameOf }: VerificationLineProps) {
  const verification = useQuery(verificationQuery(chains))
  const { data, dataUpdatedAt, isFetching } = verification
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  useRedraws(REDRAW_EVERY_MS)
  if (isFetching) {
    return (
      <Group gap={8} mb="md" role="status">
        <Loader size={14} />
        <Text size="sm" c="dimmed">
          Verifying the log
        </Text>
      </Group>
    )
  }
  if (!data) {
    return (
      <Failure
        title="The log could not be verified"
        error={verification.error}
        onRetry={() => void verification.refetch()}
      />
    )
  }
  const bad = data.filter(({ ok }) => !ok)
  const at = new Date(dataUpdatedAt).toISOString()
  return (
    <div>
      {bad.length > 0 && <BadEntries lines={bad} nameOf={nameOf} linkOf={linkOf} />}
      <Group gap="4px 8px" mb="md">
        {bad.length === 0 && (
          <Group gap={6} role="status" wrap="nowrap">
            <IconShieldCheck size={16} className={classes.verified} aria-hidden="true" />
            <Text size="sm">{describeVerified(data)},</Text>
          </Group>
        )}
        {bad.length > 0 && <Text size="sm">Verified</Text>}
        <Time at={at} />
        <Button size="compact-xs" variant="subtle" onClick={() => void verification.refetch()}>
          Verify again
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
          Hashes
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <VerifiedChainList lines={data} nameOf={nameOf} />}
      </Collapse>
    </div>
  )
}

interface BadEntriesProps extends Omit<VerificationLineProps, 'chains'> {
  readonly lines: readonly AuditVerification[]
}

function BadEntries({ linkOf, lines, nameOf }: BadEntriesProps) {
  return (
    <Alert color="red" icon={<IconShieldX size={18} />} title="The log was tampered with" mb="xs">
      {lines.map((line) => (
        <Text key={line.chain} size="sm">
          {nameOf(line.chain)}: {describeProblem(line)}.{' '}
          {line.first_bad?.id !== undefined &&
            line.first_bad.id !== null &&
            linkOf(
              line.first_bad.id,
              line.first_bad.problem === 'missing' ? 'Show the entry after it' : 'Show the entry',
            )}
        </Text>
      ))}
    </Alert>
  )
}

/** Draws the component again at intervals, so that "3 minutes ago" stays true. */
function useRedraws(everyMs: number): void {
  const [, setCount] = useState(0)
  useInterval(() => setCount((count) => count + 1), everyMs, { autoInvoke: true })
}
