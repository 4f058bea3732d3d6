import type { SdkKey } from '@burgee/contract'
import { Time } from '../../../shared/ui/time.tsx'
import { describePrograms } from './key-programs.ts'

/** The programs that are connected with a key, and its last use. */
export function KeyUse({ sdk_key: { last_used_at, streams } }: { readonly sdk_key: SdkKey }) {
  if (streams > 0) return <div>{describePrograms(streams)} connected now</div>
  if (last_used_at === null) return <div>Never used</div>
  return (
    <div>
      Last used <Time at={last_used_at} size="xs" />
    </div>
  )
}
