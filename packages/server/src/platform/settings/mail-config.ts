import { SETTINGS, type SettingName, type SettingValues } from './settings.ts'

/** The SMTP server that sends links, and the sender. */
export type MailConfig = {
  url: string
  from: string
}

type Problem = { setting: string; value: string; allowed: string }

const WITH_SMTP = ['SMTP_FROM', 'PUBLIC_URL'] as const

/** Requires the settings of e-mail together. The address of a request could not be trusted in a link. */
export function mailProblems(values: SettingValues, known: readonly Problem[]): Problem[] {
  const isUnset = (name: SettingName) =>
    values[name] === null && !known.some(({ setting }) => setting === name)
  if (values.SMTP_URL === null) {
    if (values.SMTP_FROM === null || !isUnset('SMTP_URL')) return []
    return [
      {
        setting: 'SMTP_URL',
        value: 'unset',
        allowed: `${SETTINGS.SMTP_URL.allowed}, since SMTP_FROM is set`,
      },
    ]
  }
  return WITH_SMTP.filter(isUnset).map((setting) => ({
    setting,
    value: 'unset',
    allowed: `${SETTINGS[setting].allowed.replace(', beside `SMTP_URL`', '')}, since SMTP_URL is set`,
  }))
}

/** Returns the settings of e-mail once they have no problems. */
export function mailOf({ SMTP_FROM, SMTP_URL }: SettingValues): MailConfig | null {
  return SMTP_URL === null || SMTP_FROM === null ? null : { url: SMTP_URL, from: SMTP_FROM }
}
