import type { ProxySettings } from '@burgee/egress'
import { proxyOf } from './outbound-config.ts'
import { SETTINGS, type SettingName, type SettingValues } from './settings.ts'

/** The registration of this server at its identity provider, and the use of the provider's claims. */
export type SingleSignOnConfig = {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupsClaim: string
  /** The name of the provider for people. */
  label: string
  /** The public address of this server without a slash at its end. */
  publicUrl: string
  /** The proxy for requests to the provider. */
  proxy: ProxySettings
}

type Problem = { setting: string; value: string; allowed: string }

const WITH_ISSUER = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'] as const
const NEEDS_ISSUER = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

/** Requires the settings of single sign-on together, and an identity provider where passwords are off. */
export function singleSignOnProblems(values: SettingValues, known: readonly Problem[]): Problem[] {
  const isUnset = (name: SettingName) =>
    values[name] === null && !known.some(({ setting }) => setting === name)
  const issuer = SETTINGS.OIDC_ISSUER.allowed
  if (values.OIDC_ISSUER !== null)
    return WITH_ISSUER.filter(isUnset).map((setting) => ({
      setting,
      value: 'unset',
      allowed: `${SETTINGS[setting].allowed.replace(', beside `OIDC_ISSUER`', '')}, since OIDC_ISSUER is set`,
    }))
  if (!isUnset('OIDC_ISSUER')) return []
  const needing = [
    ...NEEDS_ISSUER.filter((name) => values[name] !== null),
    ...(values.PASSWORD_LOGIN === 'off' ? ['PASSWORD_LOGIN'] : []),
  ]
  if (needing.length === 0) return []
  const verb = needing.length === 1 ? 'is' : 'are'
  const allowed = `${issuer}, since ${needing.join(', ')} ${verb} set`
  return [{ setting: 'OIDC_ISSUER', value: 'unset', allowed }]
}

/** Returns the settings of single sign-on; null without an identity provider. */
export function singleSignOnOf(values: SettingValues): SingleSignOnConfig | null {
  const { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ISSUER, PUBLIC_URL } = values
  if (OIDC_ISSUER === null || OIDC_CLIENT_ID === null) return null
  if (OIDC_CLIENT_SECRET === null || PUBLIC_URL === null) return null
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    scopes: values.OIDC_SCOPES,
    groupsClaim: values.OIDC_GROUPS_CLAIM,
    label: values.OIDC_LABEL,
    publicUrl: PUBLIC_URL,
    proxy: proxyOf(values),
  }
}
