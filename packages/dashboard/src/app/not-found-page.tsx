import { IconMapOff } from '@tabler/icons-react'
import { EmptyState } from '../shared/ui/empty-state.tsx'
import { ButtonLink } from '../shared/ui/links.tsx'

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <EmptyState
      icon={<IconMapOff size={24} />}
      title="There is no such page"
      action={<ButtonLink to="/">Go to the flags</ButtonLink>}
    >
      The address may be mistyped, or what it led to has been deleted.
    </EmptyState>
  )
}
