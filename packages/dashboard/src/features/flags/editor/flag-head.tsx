import type { Flag } from '@burgee/contract'
import { Alert, Badge, CopyButton, Text } from '@mantine/core'
import { IconArchive, IconFlagOff } from '@tabler/icons-react'
import { memo } from 'react'
import { CopyAction } from '../../../shared/ui/copy-action.tsx'
import { ManagedBadge } from '../../../shared/ui/managed-badge.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import classes from './flow.module.css'
import { StateBadge } from './state-badge.tsx'

/** The flag's present state, under its key. */
export const FlagHead = memo(function FlagHead({ flag }: { readonly flag: Flag }) {
  const { is_enabled, flag_type, tags, owner_email, description, managed_by } = flag
  return (
    <>
      <div className={classes.head}>
        <StateBadge state={is_enabled ? 'on' : 'off'} />
        <Badge variant="default" tt="none" fw={500}>
          {flag_type}
        </Badge>
        {tags.map((tag) => (
          <Badge key={tag} variant="default" tt="none" fw={500} maw={220}>
            {tag}
          </Badge>
        ))}
        {managed_by !== undefined && <ManagedBadge name={managed_by} />}
        {owner_email && (
          <Text size="xs" c="dimmed" truncate maw={280}>
            {owner_email}
          </Text>
        )}
      </div>
      {description && (
        <Text size="sm" lineClamp={3} className={classes.description}>
          {description}
        </Text>
      )}
    </>
  )
})

/** Copies the key of the flag. */
export const CopyKey = ({ flag_key }: { readonly flag_key: string }) => (
  <CopyButton value={flag_key}>
    {({ copied, copy }) => <CopyAction isCopied={copied} onClick={copy} label="Copy the key" />}
  </CopyButton>
)

/** An archived flag is as good as deleted to SDKs. */
export function ArchivedBanner({ archived_at }: { readonly archived_at: string }) {
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<IconArchive size={18} />} title="Archived">
      <Text size="sm" component="div">
        Since <Time at={archived_at} span />: SDKs do not receive it, and evaluate it as a flag that does not
        exist. Unarchive it to use it again.
      </Text>
    </Alert>
  )
}

/** Someone deleted the flag while its draft was being edited. */
export function GoneBanner() {
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      mb="md"
      icon={<IconFlagOff size={18} />}
      title="This flag was deleted while you were editing"
      classNames={{ title: classes.notice_title ?? '' }}
    >
      <Text size="sm">
        It cannot be saved any more. Your changes are still here: copy them from the JSON tab to create the
        flag again.
      </Text>
    </Alert>
  )
}
