interface WriteLine {
  (fields: object, message: string): void
  (message: string): void
}

/** What the package logs to; a logger of pino is one. */
export interface Log {
  readonly debug: WriteLine
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
}
