export interface SdkClientsTable {
  environment_id: string
  client_id: string
  key_id: number | null
  app: string
  sdk: string
  instance: string
  server_id: string
  transport: 'stream' | 'poll'
  revision: number
  connected_at: string
  seen_at: string
}

export interface PropagationTable {
  environment_id: string
  revision: number
  server_id: string
  counts: number[]
}

export interface SdkClientServersTable {
  environment_id: string
  server_id: string
  cannot_tell: number
  reported_at: string
}
