import type { ReactNode } from 'react'
import type { Ranked } from './rank-commands.ts'

/** An entry of the palette. */
export interface Command extends Ranked {
  readonly id: string
  readonly icon: ReactNode
  /** Beside the label: what it is for, or why it cannot be done. */
  readonly description?: string | undefined
  readonly isDisabled?: boolean
  /** Shown only to those who search for it: one of thousands. */
  readonly isSearchedOnly?: boolean
  run(): unknown
}

type Described = Omit<Command, 'haystack'> & { readonly words?: string }

/** Makes a command that is found by its label, its description and further words. */
export function describeCommand({ words = '', ...command }: Described): Command {
  return { ...command, haystack: `${command.label} ${command.description ?? ''} ${words}`.toLowerCase() }
}
