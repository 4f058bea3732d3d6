import { Button, Divider } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { BASE_PATH } from '../../shared/api/base-path.ts'

interface SsoButtonProps {
  readonly label: string
  /** The path to open afterwards. */
  readonly next: string
  readonly isOnlyWay?: boolean
}

/** Leads to the login at the identity provider. */
export function SsoButton({ isOnlyWay = false, label, next }: SsoButtonProps) {
  const query = new URLSearchParams(next === '/' ? {} : { return_to: next })
  return (
    <>
      {!isOnlyWay && <Divider label="or" my="md" />}
      <Button
        component="a"
        href={`${BASE_PATH}/api/auth/sso/start${query.size > 0 ? `?${query}` : ''}`}
        variant={isOnlyWay ? 'filled' : 'default'}
        leftSection={<IconKey size={17} aria-hidden="true" />}
        fullWidth
      >
        Sign in with {label}
      </Button>
    </>
  )
}
