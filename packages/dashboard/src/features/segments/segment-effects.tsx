import type { SegmentPreview } from '@burgee/contract'
import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconShieldLock } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { hasStatus, messageOf } from '../../shared/api/api-error.ts'
import { plainText } from '../../shared/api/plain-text.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { WarningsAlert } from '../../shared/warnings/warnings-alert.tsx'
import { describeEffect } from './describe-effect.ts'
import classes from './segments.module.css'

const HEIGHT_PX = 60
const FLAGS_SHOWN = 5
const PHRASES_SHOWN = 4

/** The effects of a save on the flags that depend on the segment, its warnings, and what forbids it. */
export function SegmentEffects({ preview }: { readonly preview: UseQueryResult<SegmentPreview> }) {
  const { data, error, isPending } = preview
  if (isPending) return <Skeleton height={HEIGHT_PX} aria-label="Finding the flags that change" />
  if (hasStatus(error, 409) || hasStatus(error, 422)) {
    return <Failure title="This cannot be saved yet" error={error} />
  }
  if (error) {
    return (
      <Text size="sm" c="dimmed">
        The flags that change could not be found: {messageOf(error)}
      </Text>
    )
  }
  return (
    <Stack gap="md">
      {data.problem !== undefined && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          icon={<IconShieldLock size={18} />}
          title="You cannot save this"
        >
          {plainText(data.problem)}
        </Alert>
      )}
      <TouchedFlags flag_count={data.flag_count} flags={data.flags} />
      {data.warnings.length > 0 ? (
        <WarningsAlert warnings={data.warnings} />
      ) : (
        <Text size="sm" c="dimmed" role="status">
          No warnings.
        </Text>
      )}
    </Stack>
  )
}

function TouchedFlags({ flag_count, flags }: Pick<SegmentPreview, 'flag_count' | 'flags'>) {
  const { environment } = useScope()
  const [isOpen, { open }] = useDisclosure(false)
  const where = environment?.name ?? 'this environment'
  if (flag_count === 0) {
    return <Text size="sm">No active flag in {where} uses it: nothing is sent to SDKs.</Text>
  }
  const shown = isOpen ? flags : flags.slice(0, FLAGS_SHOWN)
  const hidden = flag_count - shown.length
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {countOf(flag_count, 'flag is', 'flags are')} sent to SDKs again, in {where} only
      </Text>
      <ul className={classes.effects} aria-label="Flags that change">
        {shown.map((flag) => (
          <TouchedFlag key={flag.flag_key} flag={flag} />
        ))}
      </ul>
      {hidden > 0 &&
        (isOpen || shown.length === flags.length ? (
          <Text size="sm" c="dimmed" mt={6}>
            and {hidden} more
          </Text>
        ) : (
          <Button variant="subtle" color="gray" size="compact-sm" mt={6} onClick={open}>
            and {hidden} more
          </Button>
        ))}
    </div>
  )
}

function TouchedFlag({ flag }: { readonly flag: SegmentPreview['flags'][number] }) {
  const { changes, flag_key, is_cut } = flag
  const phrases = changes.flatMap(describeEffect)
  const shown = phrases.slice(0, PHRASES_SHOWN)
  const isLonger = is_cut || phrases.length > shown.length
  return (
    <li>
      <Text size="sm" fw={550} span>
        {flag_key}
      </Text>
      <ul className={classes.phrases}>
        {shown.map((phrase, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two phrases may read alike
          <li key={`${index} ${phrase}`}>
            <Text size="sm" span>
              {phrase}
            </Text>
          </li>
        ))}
        {(isLonger || shown.length === 0) && (
          <li>
            <Text size="sm" c="dimmed" span>
              {isLonger ? 'and further differences' : 'no difference for its users'}
            </Text>
          </li>
        )}
      </ul>
    </li>
  )
}
