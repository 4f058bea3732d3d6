import { SETTINGS } from '../../src/platform/settings/config.ts'
import type { Setting } from '../../src/platform/settings/settings.ts'

const INTRODUCTION = `# Settings

The server reads these environment variables and no others. A blank value means unset. All of them are checked at start, and all
problems are reported at once. A secret can be kept in a file: \`<NAME>_FILE\` holds the path of the file that contains the value of
\`<NAME>\`; white space around the value is removed, and setting both is a problem. This page is generated from \`packages/server/src/platform/settings/settings.ts\`.
`

/** Renders the settings page from the table that the server itself reads. */
export function renderSettingsPage(): string {
  const rows = Object.entries<Setting<unknown, unknown>>(SETTINGS).map(renderRow)
  return [INTRODUCTION, '| Setting | Default | Meaning | Allowed |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  )
}

function renderRow([name, setting]: [string, Setting<unknown, unknown>]): string {
  const names = [...(setting.aliases ?? []), ...(setting.secret === true ? [`${name}_FILE`] : [])]
  const aliases = names.map((alias) => `, also \`${alias}\``).join('')
  const secret = setting.secret === true ? ' A secret.' : ''
  const fallback =
    setting.defaultText ?? (setting.default === null ? 'unset' : `\`${String(setting.default)}\``)
  return `| \`${name}\`${aliases} | ${fallback} | ${setting.meaning}${secret} | ${setting.allowed} |`
}
