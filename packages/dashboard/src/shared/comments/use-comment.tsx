import type { Environment } from '@burgee/contract'
import { type ReactNode, useState } from 'react'
import type { Permission } from '../scope/use-permissions.ts'
import { CommentField } from './comment-field.tsx'

export interface WrittenComment {
  /** For the options of the call. Undefined without one. */
  readonly comment: string | undefined
  /** The input, for the dialog. */
  readonly field: ReactNode
  /** For the button: refused with the reason while a required comment is missing. */
  readonly permission: Permission
}

/**
 * The comment that someone writes in a dialog about a write in that environment. A required one takes the
 * focus unless `takesFocus` is false, for forms that begin with another field.
 */
export function useComment(
  environment: CommentedEnvironment | undefined,
  { takesFocus = true }: { readonly takesFocus?: boolean } = {},
): WrittenComment {
  const [text, setText] = useState('')
  const isRequired = environment?.require_comment === true
  const comment = text.trim() || undefined
  const isMissing = isRequired && comment === undefined
  return {
    comment,
    field: (
      <CommentField
        value={text}
        onChange={setText}
        isRequired={isRequired}
        hasFocus={isRequired && takesFocus}
      />
    ),
    permission: isMissing ? { isAllowed: false, reason: missing(environment.name) } : ALLOWED,
  }
}

export type CommentedEnvironment = Pick<Environment, 'name' | 'require_comment'>

const ALLOWED: Permission = { isAllowed: true }
const missing = (name: string) => `Write a comment first: each change in ${name} needs one.`

/** The first of the permissions that is refused. */
export const bothPermissions = (first: Permission, second: Permission): Permission =>
  first.isAllowed ? second : first
