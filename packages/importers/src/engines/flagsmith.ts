import type { JsonValue } from '@burgee/evaluation'
import { type JsonObject, objectOf, objectsOf, tableOf, textOf } from '../reading.ts'
import { collectDocuments, isSwitch, nameOf } from '../systems/flagsmith/read-flagsmith.ts'
import type { EngineKind, EngineUser } from './engine.ts'

interface Flags {
  getFlag(key: string): { readonly enabled: boolean; readonly value: JsonValue | undefined }
}
interface Client {
  getEnvironment(): Promise<object>
  getIdentityFlags(identifier: string, traits: object): Promise<Flags>
  close(): Promise<void>
}
interface FlagsmithModule {
  readonly Flagsmith: new (options: object) => Client
}

const SILENT = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }

export const FLAGSMITH: EngineKind = {
  npmPackage: 'flagsmith-nodejs',
  version: '8.1.2',
  start: async ({ environment, files, load, wanted }) => {
    const { Flagsmith } = (await load('flagsmith-nodejs')) as FlagsmithModule
    const found = collectDocuments(files, wanted).find(({ name }) => name === environment)
    const document = found?.document ?? {}
    const client = await startClient(Flagsmith, document)
    const keys = new Set(objectsOf(document.feature_states).map(nameOf))
    const switches = new Set([...keys].filter((key) => key !== null && isSwitch(key, document)))
    let last: { readonly user: EngineUser; readonly flags: Promise<Flags> } | undefined
    return {
      has: (key) => keys.has(key),
      adapt: adapterFor(document),
      ask: async (key, user, ours) => {
        // The engine evaluates all features of a user at once.
        if (last?.user !== user) last = { user, flags: client.getIdentityFlags(user.key, user.attributes) }
        const { enabled, value } = (await last.flags).getFlag(key)
        if (switches.has(key)) return { theirs: enabled, ours: ours.enabled }
        return { theirs: [enabled, value ?? null], ours: [ours.enabled, ours.value] }
      },
      close: () => void client.close(),
    }
  },
}

/**
 * Returns a client that has this document and requests nothing. Only a client with local evaluation reads a
 * document; one that is offline does not keep the traits of users before.
 */
async function startClient(Flagsmith: FlagsmithModule['Flagsmith'], document: object): Promise<Client> {
  const reader = new Flagsmith({
    ...{ environmentKey: 'ser.burgee', apiUrl: 'http://127.0.0.1:9/', enableLocalEvaluation: true },
    ...{ environmentRefreshIntervalSeconds: -1, logger: SILENT },
    fetch: async () => ({ status: 200, headers: new Map(), json: async () => document }),
  })
  const environment = await reader.getEnvironment()
  await reader.close()
  const offlineHandler = { getEnvironment: () => environment }
  return new Flagsmith({ offlineMode: true, offlineHandler, logger: SILENT })
}

type Value = EngineUser['attributes'][string]
type Fits = (value: Value) => boolean

const isText: Fits = (value) => typeof value === 'string'
const isNumber: Fits = (value) => typeof value === 'number'
/** The values that mean the same in Flagsmith and in Burgee, by operator. Others differ by their type. */
const FITTING = tableOf<Fits>({
  CONTAINS: isText,
  NOT_CONTAINS: isText,
  // Flagsmith takes 0 for no value here.
  IN: (value) => typeof value !== 'boolean' && value !== 0,
})

/** Returns users without the attributes of another type than the conditions of the document expect. */
function adapterFor(document: JsonObject): (user: EngineUser) => EngineUser {
  const tests = new Map<string, Fits[]>()
  /** The attributes that are compared with true or false: programs send booleans. */
  const booleans = new Set<string>()
  const visit = (rule: JsonObject) => {
    for (const condition of objectsOf(rule.conditions)) {
      const property = textOf(condition.property_) ?? textOf(condition.property) ?? ''
      const attribute = property.replace(/^\$\.identity\.traits\.|^\$\.identity\.traits\['|'\]$/g, '')
      tests.set(attribute, [...(tests.get(attribute) ?? []), fitOf(condition)])
      if (/^(true|false)$/i.test(textOf(condition.value) ?? '')) booleans.add(attribute)
    }
    objectsOf(rule.rules).forEach(visit)
  }
  for (const { rules } of objectsOf(objectOf(document.project).segments)) objectsOf(rules).forEach(visit)
  return ({ attributes, key }) => {
    const kept = Object.entries(attributes)
      .map(([name, value]) => [name, booleans.has(name) ? toBoolean(value) : value] as const)
      .filter(([name, value]) => (tests.get(name) ?? []).every((fits) => fits(value)))
    return { key, attributes: Object.fromEntries(kept) }
  }
}

const toBoolean = (value: Value): Value =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value

function fitOf({ operator, value }: JsonObject): Fits {
  const name = textOf(operator) ?? ''
  const compared = textOf(value) ?? ''
  if (name === 'EQUAL' || name === 'NOT_EQUAL')
    return (given) =>
      (typeof given !== 'boolean' || /^(true|false)$/i.test(compared)) &&
      // `18.0` equals the number 18, and not the text.
      !(typeof given === 'string' && given !== compared && given === String(Number(compared)))
  if (/^(GREATER|LESS)_THAN/.test(name)) return compared.endsWith(':semver') ? isText : isNumber
  return FITTING[name] ?? (() => true)
}
