import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Navigate, useLocation } from '@tanstack/react-router'
import { useMe } from '../../shared/scope/use-me.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { ENROLLMENT_PLACE, isEnrollmentPlace, mustEnroll } from '../enrollment.ts'

/**
 * A notice of what the workspace asks of the person's second factors. Where only enrollment is open, it leads
 * there; the account page has the same notice itself.
 */
export function SecondFactorNotice() {
  const me = useMe()
  const { pathname } = useLocation()
  if (!me || isEnrollmentPlace(pathname)) return null
  const { second_factor_due_at: dueAt, second_factors_reset_at: resetAt } = me
  if (mustEnroll(me)) return <Navigate {...ENROLLMENT_PLACE} replace />
  if (dueAt === undefined && resetAt === undefined) return null
  return (
    <Alert color="yellow" mb="md" icon={<IconAlertTriangle size={18} />}>
      {resetAt !== undefined && 'An admin removed the second factors of your account. '}
      {dueAt !== undefined && (
        <>
          This workspace requires a second factor. Add one before <Time at={dueAt} />.{' '}
        </>
      )}
      <AnchorLink {...ENROLLMENT_PLACE} inherit>
        Open two-step verification
      </AnchorLink>
    </Alert>
  )
}
