import type { Flag } from '@burgee/contract'
import { serverUrl } from '../../shared/api/base-path.ts'
import type { Subject } from './subject.ts'

/**
 * Code that evaluates the same with the SDK. `flag` is the flag that is open; without it, the code evaluates
 * all flags.
 */
export function writeSdkSnippet(
  { attributes, user_key }: Subject,
  flag?: Pick<Flag, 'key' | 'flag_type'>,
): string {
  const user = JSON.stringify(user_key)
  const hasAttributes = Object.keys(attributes).length > 0
  const subject = hasAttributes ? `${user}, ${JSON.stringify(attributes)}` : user
  return [
    "import { createClient } from '@burgee/sdk'",
    '',
    'const flags = createClient({',
    `  url: '${serverUrl()}',`,
    "  sdkKey: process.env.BURGEE_SDK_KEY ?? '',",
    '})',
    'await flags.connect()',
    '',
    question(subject, flag),
  ].join('\n')
}

function question(subject: string, flag: Pick<Flag, 'key' | 'flag_type'> | undefined): string {
  if (!flag) return `flags.allFlags(${subject})`
  const call = flag.flag_type === 'boolean' ? 'isEnabled' : 'getVariant'
  return `flags.${call}('${flag.key}', ${subject})`
}
