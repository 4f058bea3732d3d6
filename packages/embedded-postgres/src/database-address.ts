/** The address of a database; `host` is a folder when it is a unix socket. */
export type DatabaseAddress = {
  host: string
  database: string
  user: string
  port?: number
  password?: string
}
