import { IMPORT_REQUESTS, IMPORT_SYSTEM_NAMES, type ImportSystem } from '@burgee/contract'

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

const STEPS: Readonly<Record<ImportSystem, readonly string[]>> = {
  launchdarkly: [
    'Create an access token with the role Reader, and set TOKEN and PROJECT.',
    'Name your environments in the first line: the API gives them only where they are asked for.',
    'The commands read every page of the flags and segments of each. Choose all these files together.',
  ],
  unleash: [
    'Create an access token, and set TOKEN and UNLEASH_URL. Name your environments in the first line.',
    'An export has one environment. Read the segments too, because an export has only their names.',
    'Choose all these files together.',
  ],
  flagd: ['Choose the files that flagd reads: JSON or YAML.', 'Several files are one environment.'],
  growthbook: [
    'Create a secret key with the role read-only, and set SECRET_KEY. The commands read every page.',
    'The payload of an SDK connection works too, unless it is encrypted. It has one environment, and saved groups inside its rules.',
  ],
  flagsmith: ['Create a server-side key of each environment.', 'Read the document of each environment.'],
  goff: [
    'Choose the files that its relay proxy reads: YAML, JSON or TOML.',
    'Several files are one environment.',
  ],
  configcat: [
    'Read the config JSON of each config, in one environment after the other.',
    'Rules with hashed comparators are left out: set them to clear text before.',
  ],
}

const serviceOf = (system: ImportSystem, files: string, isUnnamed = false): ImportService => {
  const { command } = IMPORT_REQUESTS[system]
  return {
    ...{ system, files, isUnnamed, name: IMPORT_SYSTEM_NAMES[system], steps: STEPS[system] },
    ...(command !== undefined && { command }),
  }
}

/** The services in the order in which they are offered. */
export const IMPORT_SERVICES: readonly ImportService[] = [
  serviceOf('launchdarkly', 'REST API or SDK data'),
  serviceOf('unleash', 'Export of an environment'),
  serviceOf('flagd', 'Flag definitions', true),
  serviceOf('growthbook', 'SDK payload or REST API'),
  serviceOf('flagsmith', 'Environment document'),
  serviceOf('goff', 'Flag files', true),
  serviceOf('configcat', 'Config JSON', true),
]

export const findService = (system: string): ImportService | undefined =>
  IMPORT_SERVICES.find((service) => service.system === system)
