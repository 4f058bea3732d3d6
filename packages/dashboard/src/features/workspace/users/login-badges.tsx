import type { User } from '@burgee/contract'
import { Badge, Tooltip } from '@mantine/core'
import { IconKey, IconMail, IconMailQuestion, IconShieldCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { describeFactors, isInvited } from './login-ways.ts'

/**
 * The ways of a user to sign in: an address that is not confirmed, an invitation that waits, second factors,
 * and single sign-on.
 */
export function LoginBadges({ user }: { readonly user: User }) {
  const { email_unconfirmed_since, is_linked, second_factors } = user
  return (
    <>
      {email_unconfirmed_since !== null && (
        <LoginBadge
          icon={<IconMailQuestion size={11} />}
          color="yellow"
          hint="SCIM changed the address, and the person has not confirmed it. No link is sent to it"
        >
          Address unconfirmed
        </LoginBadge>
      )}
      {isInvited(user) && (
        <LoginBadge icon={<IconMail size={11} />} color="yellow" hint="No password is set yet">
          Invited
        </LoginBadge>
      )}
      {second_factors.length > 0 && (
        <LoginBadge icon={<IconShieldCheck size={11} />} color="teal" hint="Two-step verification">
          {describeFactors(second_factors)}
        </LoginBadge>
      )}
      {is_linked && (
        <LoginBadge icon={<IconKey size={11} />} color="gray" hint="Signs in with the identity provider">
          Single sign-on
        </LoginBadge>
      )}
    </>
  )
}

interface LoginBadgeProps {
  readonly icon: ReactNode
  readonly color: string
  readonly hint: string
  readonly children: string
}

const LoginBadge = ({ icon, color, hint, children }: LoginBadgeProps) => (
  <Tooltip label={hint}>
    <Badge
      size="sm"
      variant="light"
      color={color}
      tt="none"
      leftSection={icon}
      aria-label={`${hint}: ${children}`}
    >
      {children}
    </Badge>
  </Tooltip>
)
