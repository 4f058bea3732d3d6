/** Parameters of PostgreSQL by name. */
export type PostgresSettings = Record<string, string | number>

/**
 * Connections beyond the application's pool: the lock, the listener for hints, workers, an operator with
 * psql.
 */
const SPARE_CONNECTIONS = 20
const MIN_CONNECTIONS = 60

/**
 * Returns the parameters of the embedded server: durable (fsync, full page writes and synchronous commit stay
 * on), small in memory, few processes, and reachable only through its unix socket.
 */
export function postgresSettings(input: {
  max_connections: number
  overrides: PostgresSettings
}): PostgresSettings {
  return {
    listen_addresses: '',
    // Relative to the cluster, PostgreSQL's working folder, so the address of the socket is never too long.
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
    // Backups copy the running cluster with its log. There is no replication.
    wal_level: 'replica',
    max_wal_senders: 0,
    min_wal_size: '32MB',
    max_wal_size: '512MB',
    random_page_cost: 1.1,
    // Sessions of a killed server end within two seconds, also in the middle of a statement.
    client_connection_check_interval: '2s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Errors of statements reach their caller and may contain rows, so they are not logged here as well.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    ...input.overrides,
  }
}

/** The number in the name of the socket file. No TCP port is opened. */
export const SOCKET_PORT = 5432

export function toArguments(settings: PostgresSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
