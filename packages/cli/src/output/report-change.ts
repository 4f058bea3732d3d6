import { isObject } from '@burgee/contract'
import type { CommandContext } from '../command-context.ts'
import { EXIT } from '../exit-codes.ts'
import { printable } from './output.ts'

/** Prints a change that was made (200), or the request that waits for approval (202), with its warnings. */
export function reportChange(
  context: CommandContext,
  { body, status }: { readonly status: number; readonly body: object },
  done: string,
): void {
  if (status === 202) context.endWith(EXIT.waits)
  const text = status === 202 ? 'A change request was opened. It waits for approval.' : done
  const warnings = 'warnings' in body && Array.isArray(body.warnings) ? body.warnings.filter(isObject) : []
  const { yellow } = context.colors
  context.report(body, () =>
    [
      printable(text),
      ...warnings.map(({ message }) => `  ${yellow('warning:')} ${printable(String(message))}`),
      '',
    ].join('\n'),
  )
}
