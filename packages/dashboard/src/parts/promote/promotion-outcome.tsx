import type { Environment } from '@burgee/contract'
import { Skeleton, Stack, Text } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { Failure } from '../../shared/ui/failure.tsx'
import { FlagDiff } from '../flag-diff/flag-diff.tsx'
import classes from './promote.module.css'
import type { Promotion } from './use-promotion.ts'

interface PromotionOutcomeProps {
  readonly promotion: Promotion
  readonly target: Environment | undefined
}

/** The target's flag as it would be after the promotion. */
export function PromotionOutcome({ promotion, target }: PromotionOutcomeProps) {
  const style: CSSProperties & Record<'--target-color', string | undefined> = {
    '--target-color': target?.color,
  }
  return (
    <div className={classes.outcome} style={style} aria-live="polite">
      <Outcome promotion={promotion} target={target} />
    </div>
  )
}

function Outcome({ promotion, target }: PromotionOutcomeProps) {
  const { after, before, error, isSame, missingPrerequisites } = promotion
  if (!target) return <Note>Choose an environment to see what would change there.</Note>
  if (error) return <Failure error={error} title={`${target.name} could not be read`} />
  if (before === undefined) return <Skeleton height={90} />
  if (isSame) return <Note>The flag is the same in {target.name} already. There is nothing to promote.</Note>
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {before ? `What changes in ${target.name}` : `${target.name} does not have this flag yet`}
      </Text>
      <FlagDiff before={before} after={after} />
      {before?.archived_at && <Note>It stays archived there until someone unarchives it.</Note>}
      {missingPrerequisites.length > 0 && (
        <Text size="sm" c="red">
          {target.name} lacks {missingPrerequisites.join(', ')}, which has to be on first. Promote that too,
          or everyone gets the disabled value.
        </Text>
      )}
    </Stack>
  )
}

const Note = ({ children }: { readonly children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)
