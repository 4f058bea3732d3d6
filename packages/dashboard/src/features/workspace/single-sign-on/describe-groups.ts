/** The places from which groups come: logins, SCIM, or both. */
export interface GroupSources {
  /** The claim of a login that lists the groups; null without single sign-on. */
  readonly claim: string | null
  readonly hasScim: boolean
  /** The name of the identity provider. */
  readonly label: string
}

interface GroupWords {
  /** The time at which members get a role. */
  readonly effect: string
  /** The source of groups, and the effect of the first row. */
  readonly origin: string
}

/** Describes how groups reach the server, and what a row of the table does. */
export function describeGroups({ claim, hasScim, label }: GroupSources): GroupWords {
  if (claim === null && !hasScim) {
    return { effect: 'Single sign-on and SCIM are off, so no group arrives.', origin: 'No group arrives.' }
  }
  if (claim === null) {
    return {
      effect: 'Members of a group that SCIM sends have its role, and lose it when they leave the group.',
      origin: 'Give a group that the identity provider sends a role in a project or in the workspace.',
    }
  }
  const atLogin = `Members of a group of ${label} get its role when they sign in, and lose it when they leave the group.`
  const fromClaim = `People without an account here can sign in once a group gives them a role. Groups come from the claim ${claim}.`
  if (!hasScim) return { effect: atLogin, origin: fromClaim }
  return {
    effect: `${atLogin} For accounts that SCIM manages, the groups that SCIM sends count, at once.`,
    origin: fromClaim,
  }
}
