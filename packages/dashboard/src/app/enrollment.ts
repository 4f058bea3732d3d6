import type { CurrentUser } from '@burgee/contract'

const ACCOUNT = '/account'

/** The page on which a person adds a second factor. */
export const ENROLLMENT_PLACE = { to: ACCOUNT, search: { tab: 'password' } } as const

export const isEnrollmentPlace = (pathname: string): boolean => pathname === ACCOUNT

/** True for a person who can only add a second factor: the server refuses everything else. */
export const mustEnroll = ({ second_factor_due_at: dueAt }: CurrentUser): boolean =>
  dueAt !== undefined && Date.parse(dueAt) <= Date.now()
