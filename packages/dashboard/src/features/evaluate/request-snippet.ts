import type { Flag } from '@burgee/contract'
import { serverUrl } from '../../shared/api/base-path.ts'
import type { Subject } from './subject.ts'

/**
 * The curl line that evaluates the same on the server, with the steps. Without a flag it evaluates all; `at`
 * is a past moment.
 */
export function writeRequestSnippet(
  { attributes, user_key }: Subject,
  environment_id: string,
  flag?: Pick<Flag, 'key'>,
  at: string | null = null,
): string {
  const body = {
    user_key,
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(flag && { flag_keys: [flag.key] }),
    ...(at !== null && { at }),
  }
  return [
    `curl ${serverUrl()}/api/environments/${environment_id}/evaluate \\`,
    '  -H "Authorization: Bearer $BURGEE_TOKEN" -H \'Content-Type: application/json\' \\',
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')
}

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
