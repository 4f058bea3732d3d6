import type { ImportSystem } from '@burgee/contract'

/** A service whose files can be imported, and the way to get these files. */
export interface ImportService {
  readonly system: ImportSystem
  readonly name: string
  /** The files in a few words, below the name. */
  readonly files: string
  readonly steps: readonly string[]
  /** A command that writes the files; absent where they are files of one's own already. */
  readonly command?: string
  /** True if the files never name their environment: the server would call it Production. */
  readonly isUnnamed?: boolean
}

/** The services in the order in which they are offered. */
export const IMPORT_SERVICES: readonly ImportService[] = [
  {
    system: 'launchdarkly',
    name: 'LaunchDarkly',
    files: 'REST API or SDK data',
    steps: [
      'Create an access token with the role Reader.',
      'Read the flags, then the segments of each environment.',
      'Choose all these files together.',
    ],
    command: `curl -H "Authorization: $TOKEN" "https://app.launchdarkly.com/api/v2/flags/PROJECT?summary=0" > flags.json
curl -H "Authorization: $TOKEN" "https://app.launchdarkly.com/api/v2/segments/PROJECT/production" > segments.json`,
  },
  {
    system: 'unleash',
    name: 'Unleash',
    files: 'Export of an environment',
    steps: [
      'Export the features: an export has one environment.',
      'Read the segments too, because an export has only their names.',
      'Choose all these files together.',
    ],
    command: `curl -H "Authorization: $TOKEN" -H "Content-Type: application/json" \\
  -d '{"environment": "production", "features": []}' "$UNLEASH_URL/api/admin/features-batch/export" > features.json
curl -H "Authorization: $TOKEN" "$UNLEASH_URL/api/admin/segments" > segments.json`,
  },
  {
    system: 'flagd',
    name: 'flagd',
    files: 'Flag definitions',
    steps: ['Choose the files that flagd reads: JSON or YAML.', 'Several files are one environment.'],
    isUnnamed: true,
  },
  {
    system: 'growthbook',
    name: 'GrowthBook',
    files: 'SDK payload or REST API',
    steps: [
      'Read the features with the REST API: its answer has every environment.',
      'The payload of an SDK connection works too. It has one environment, and saved groups inside its rules.',
    ],
    command: `curl -H "Authorization: Bearer $SECRET_KEY" "https://api.growthbook.io/api/v1/features?limit=100" > features.json`,
  },
  {
    system: 'flagsmith',
    name: 'Flagsmith',
    files: 'Environment document',
    steps: ['Create a server-side key of each environment.', 'Read the document of each environment.'],
    command: `curl -H "X-Environment-Key: $SERVER_KEY" "https://edge.api.flagsmith.com/api/v1/environment-document/" > production.json`,
  },
  {
    system: 'goff',
    name: 'GO Feature Flag',
    files: 'Flag files',
    steps: [
      'Choose the files that its relay proxy reads: YAML, JSON or TOML.',
      'Several files are one environment.',
    ],
    isUnnamed: true,
  },
  {
    system: 'configcat',
    name: 'ConfigCat',
    files: 'Config JSON, version 6',
    steps: [
      'Download the config JSON of an environment.',
      'Rules with hashed comparators are left out: set them to clear text before.',
    ],
    command: `curl "https://cdn-global.configcat.com/configuration-files/$SDK_KEY/config_v6.json" > config_v6.json`,
    isUnnamed: true,
  },
]

export const findService = (system: string): ImportService | undefined =>
  IMPORT_SERVICES.find((service) => service.system === system)
