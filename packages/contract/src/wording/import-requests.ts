import type { ImportSystem } from '../schemas/import.ts'

/** The way to get the files of a service that an import reads. */
export interface ImportRequests {
  /** The files, as the end of "Give …". */
  readonly files: string
  /** Commands for a shell that write all of them; absent where a program of one's own has the files. */
  readonly command?: string
}

/**
 * The requests of each service, whole: every environment and every page. The dashboard, refusals and
 * docs/import.md have them.
 */
export const IMPORT_REQUESTS: Readonly<Record<ImportSystem, ImportRequests>> = {
  launchdarkly: {
    files:
      'the responses of GET /api/v2/flags/PROJECT?env=production&summary=0&limit=100 and of GET /api/v2/segments/PROJECT/production, all pages, or the data of a server-side SDK: {"flags": {...}, "segments": {...}}',
    // The API has environments only with `env`, at most three in a request, and at most 100 flags.
    command: `for env in production staging; do
  offset=0
  while curl -sSf -H "Authorization: $TOKEN" -H "LD-API-Version: 20240415" \\
    "https://app.launchdarkly.com/api/v2/flags/$PROJECT?env=$env&summary=0&limit=100&offset=$offset" > "flags-$env-$offset.json" &&
    grep -q '"next":' "flags-$env-$offset.json"; do offset=$((offset + 100)); done
  offset=0
  while curl -sSf -H "Authorization: $TOKEN" -H "LD-API-Version: 20240415" \\
    "https://app.launchdarkly.com/api/v2/segments/$PROJECT/$env?limit=50&offset=$offset" > "segments-$env-$offset.json" &&
    grep -q '"next":' "segments-$env-$offset.json"; do offset=$((offset + 50)); done
done`,
  },
  unleash: {
    files:
      'an export of each environment (Project settings > Export, or POST /api/admin/features-batch/export), the response of /api/client/features, or a state export; and the response of /api/admin/segments where segments are used',
    command: `for env in production development; do
  curl -sSf -H "Authorization: $TOKEN" -H "Content-Type: application/json" \\
    -d "{\\"environment\\": \\"$env\\", \\"features\\": []}" \\
    "$UNLEASH_URL/api/admin/features-batch/export" > "features-$env.json"
done
curl -sSf -H "Authorization: $TOKEN" "$UNLEASH_URL/api/admin/segments" > segments.json`,
  },
  flagd: { files: 'the files that flagd reads: {"flags": {"my-flag": {"state": ..., "variants": ...}}}' },
  growthbook: {
    files:
      'the response of GET /api/v1/features?limit=100, all pages, or the response of /api/features/{key} of an SDK connection that does not encrypt',
    command: `offset=0
while curl -sSf -H "Authorization: Bearer $SECRET_KEY" \\
  "https://api.growthbook.io/api/v1/features?limit=100&offset=$offset" > "features-$offset.json" &&
  grep -q '"hasMore": *true' "features-$offset.json"; do offset=$((offset + 100)); done`,
  },
  flagsmith: {
    files: 'the response of /api/v1/environment-document/ with a server-side key of each environment',
    command: `for env in production staging; do
  echo "Server-side key of $env:"
  read -r key
  curl -sSf -H "X-Environment-Key: $key" \\
    "https://edge.api.flagsmith.com/api/v1/environment-document/" > "$env.json"
done`,
  },
  goff: {
    files: 'the flag files that the relay proxy reads: a flag has "variations" and a "defaultRule"',
  },
  configcat: {
    files: 'the config_v6.json of each config and environment, with comparators in clear text',
    command: `for name in main; do
  echo "SDK key of the config $name:"
  read -r key
  curl -sSf "https://cdn-global.configcat.com/configuration-files/$key/config_v6.json" > "$name.json"
done`,
  },
}

/** The names of the services for people. */
export const IMPORT_SYSTEM_NAMES: Readonly<Record<ImportSystem, string>> = {
  launchdarkly: 'LaunchDarkly',
  unleash: 'Unleash',
  flagd: 'flagd',
  growthbook: 'GrowthBook',
  flagsmith: 'Flagsmith',
  goff: 'GO Feature Flag',
  configcat: 'ConfigCat',
}

const BEFORE_COMMANDS = ' These commands write them:\n'

/** Describes how to get the files: `Give …`, and the commands on lines of their own. */
export function describeImportRequests(system: ImportSystem): string {
  const { command, files } = IMPORT_REQUESTS[system]
  return `Give ${files}.${command === undefined ? '' : BEFORE_COMMANDS + command}`
}

/** Returns a refusal of files without the commands, for where they are shown already. */
export const withoutImportCommands = (message: string): string => message.split(BEFORE_COMMANDS)[0] ?? message
