import { KEY_PATTERN, type UnknownFlag } from '@burgee/contract'
import { Button } from '@mantine/core'
import { usePermissions } from '../../../../shared/scope/use-permissions.ts'
import { Gated } from '../../../../shared/ui/gated.tsx'
import { Row } from '../../../../shared/ui/row-list.tsx'
import { Time } from '../../../../shared/ui/time.tsx'
import { UnknownFlagReason } from './unknown-flag-reason.tsx'
import { useDismiss } from './use-dismiss.ts'

interface UnknownFlagRowProps {
  readonly flag: UnknownFlag
  readonly onCreate: () => void
}

const keyPattern = new RegExp(KEY_PATTERN)

/** One flag that does not exist: how often programs evaluate it, the likely reason, and what can be done. */
export function UnknownFlagRow({ flag, onCreate }: UnknownFlagRowProps) {
  const may = usePermissions()
  const { dismiss, isBusy } = useDismiss(flag.flag_key)
  const { app, because, count, flag_key, last_seen, sdk } = flag
  const mayExist = keyPattern.test(flag_key)
  return (
    <Row
      title={flag_key}
      subtitle={
        <>
          Evaluated {count === 1 ? 'once' : `${count.toLocaleString('en')} times`}, last{' '}
          <Time at={last_seen} inherit span />
          {app !== null && ` by ${app}`}
          {sdk !== null && ` (${sdk})`}.{' '}
          {mayExist ? (
            <UnknownFlagReason because={because} flag_key={flag_key} />
          ) : (
            'No flag can have this key.'
          )}
        </>
      }
      actions={
        <>
          {mayExist && because?.reason !== 'archived' && (
            <Gated permission={may('putFlag')}>
              <Button size="compact-sm" variant="light" onClick={onCreate} aria-label={`Create ${flag_key}`}>
                Create
              </Button>
            </Gated>
          )}
          <Gated permission={may('dismissUnknownFlag')}>
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              loading={isBusy}
              onClick={() => void dismiss()}
              aria-label={`Dismiss ${flag_key}`}
            >
              Dismiss
            </Button>
          </Gated>
        </>
      }
    />
  )
}
