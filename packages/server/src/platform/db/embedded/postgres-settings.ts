/** PostgreSQL's own parameters, by name. */
export type PostgresSettings = Record<string, string | number>

/** Connections beside the application's pool: the lock, the hints' listener, job workers, a person with psql. */
const SPARE_CONNECTIONS = 20
const MIN_CONNECTIONS = 60

/**
 * Parameters of the embedded server: durable (fsync, full page writes and synchronous commit stay on), small in memory, few
 * processes, and reachable through its unix socket only.
 */
export function postgresSettings(input: {
  max_connections: number
  overrides: PostgresSettings
}): PostgresSettings {
  return {
    listen_addresses: '',
    // Relative to the cluster, which is PostgreSQL's working folder: never too long for a socket's address.
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    port: SOCKET_PORT,
    max_connections: Math.max(MIN_CONNECTIONS, input.max_connections + SPARE_CONNECTIONS),
    shared_buffers: '32MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    effective_cache_size: '256MB',
    jit: 'off',
    io_method: 'sync',
    huge_pages: 'off',
    max_worker_processes: 2,
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    autovacuum_max_workers: 2,
    // Nothing replicates from it, so the log may leave out what only a replica needs.
    wal_level: 'minimal',
    max_wal_senders: 0,
    min_wal_size: '32MB',
    max_wal_size: '512MB',
    random_page_cost: 1.1,
    // The sessions of a server that was killed end within two seconds, also in the middle of a statement.
    client_connection_check_interval: '2s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Errors of statements reach their caller, and may hold rows: they are not logged a second time here.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    ...input.overrides,
  }
}

/** Names the socket file; no TCP port is opened. */
export const SOCKET_PORT = 5432

export function toArguments(settings: PostgresSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
