import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { Nullable, timestamp, uuid } from './common.ts'

const app = Type.String({ description: 'The name of the program; empty where it gave none' })
const sdk = Type.String({ description: 'The SDK and its version; empty where it is not known' })
const instance = Type.String({ description: 'The instance of the program; empty where it gave none' })
const client_id = uuid({ description: 'The id that the client made at its start' })
const server_id = uuid({ description: 'The server to which it is connected' })
const applied = Nullable(
  Type.Integer({ description: 'The revision that it has confirmed; null before its first confirmation' }),
)

/** The state of a client that confirms what it has applied. */
export const ClientState = Type.Enum(['current', 'behind', 'silent'], {
  description:
    'Where a client is: it has confirmed everything that SDKs see (`current`), it has not and may still do so (`behind`), or its stream is open and it has not confirmed in time (`silent`)',
})
export type ClientState = Static<typeof ClientState>

const count = (description: string) => Type.Integer({ description })
const latency = (description: string) => Nullable(Type.Number({ description }))

const EXAMPLE_CLIENT = {
  client_id: '8f14e45f-ceea-467f-a0f9-3f1a1e4b2c11',
  app: 'checkout',
  sdk: 'js/1.4.0',
  instance: 'host-1',
  server_id: '0b7c1d52-5d3e-4c5f-9a7b-2f6d8e1a9c33',
}

/** A client that has not confirmed a revision. */
const WaitingClient = Type.Object(
  {
    client_id,
    app,
    sdk,
    instance,
    server_id,
    revision: applied,
    silent_ms: Type.Integer({
      description: 'Milliseconds since the first change that it has not confirmed, or since it connected',
    }),
  },
  { description: 'A client that has not confirmed the revision' },
)

export const Propagation = Type.Object(
  {
    environment_id: uuid({ description: 'The environment' }),
    revision: Type.Integer({ description: 'The revision that was asked for' }),
    committed_at: Nullable(
      timestamp({ description: 'When it was committed, UTC; null for a revision without a change' }),
    ),
    clients: Type.Object(
      {
        total: count('Clients that confirm what they have applied'),
        current: count('Those that have confirmed everything that SDKs see up to the revision'),
        behind: count('Those that have not, and may still do so'),
        silent: count('Those with an open stream that have not confirmed in time'),
        unconfirmable: count('Further open streams, whose clients do not confirm: browsers and older SDKs'),
      },
      { description: 'The clients of the environment, over all servers' },
    ),
    share: Type.Number({
      description: 'The share of `total` that is current, 0 to 1; 1 when no client confirms',
    }),
    latency_ms: Type.Object(
      {
        p50: latency('The median; null before the first confirmation'),
        p99: latency('The 99th percentile'),
        max: latency('The longest'),
      },
      {
        description:
          'From the commit until clients had applied the change that is the newest up to the revision: an upper bound by one way of the network, in steps of 10%. Only clients count that were connected before the commit',
      },
    ),
    waiting: Type.Array(WaitingClient, {
      description: 'Clients that are not current, at most 100: those that are furthest behind come first',
    }),
    as_of: timestamp({ description: 'When this was counted, UTC' }),
  },
  {
    examples: [
      {
        environment_id: EXAMPLE_SHOP.productionId,
        revision: 97,
        committed_at: '2026-03-02T09:30:00.000Z',
        clients: { total: 415, current: 414, behind: 0, silent: 1, unconfirmable: 20 },
        share: 0.9976,
        latency_ms: { p50: 12.1, p99: 37.4, max: 41.1 },
        waiting: [{ ...EXAMPLE_CLIENT, revision: 96, silent_ms: 4210 }],
        as_of: '2026-03-02T09:30:05.000Z',
      },
    ],
  },
)
export type Propagation = Static<typeof Propagation>

const EXAMPLE_SDK_CLIENT = {
  ...EXAMPLE_CLIENT,
  transport: 'stream' as const,
  revision: 97,
  state: 'current' as const,
  connected_at: '2026-03-02T08:00:00.000Z',
  seen_at: '2026-03-02T09:30:00.000Z',
}

export const SdkClient = Type.Object(
  {
    client_id,
    app,
    sdk,
    instance,
    server_id,
    transport: Type.Union(
      [
        Type.Literal('stream', { description: 'It has an open stream' }),
        Type.Literal('poll', { description: 'It requests snapshots' }),
      ],
      { description: 'How flags reach it' },
    ),
    revision: applied,
    state: ClientState,
    connected_at: timestamp({ description: 'When it connected, UTC' }),
    seen_at: timestamp({ description: 'When it last confirmed a revision or requested a snapshot, UTC' }),
  },
  {
    examples: [EXAMPLE_SDK_CLIENT],
  },
)
export type SdkClient = Static<typeof SdkClient>

export const SdkClientPage = Type.Object(
  {
    revision: Type.Integer({ description: 'The current revision of the environment' }),
    total: Type.Integer({ description: 'Clients that fit the filter' }),
    items: Type.Array(SdkClient, {
      description: 'Silent ones first, then those that are behind, by program',
    }),
  },
  { examples: [{ revision: 97, total: 1, items: [EXAMPLE_SDK_CLIENT] }] },
)
export type SdkClientPage = Static<typeof SdkClientPage>
