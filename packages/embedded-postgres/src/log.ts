interface WriteLine {
  (fields: object, message: string): void
  (message: string): void
}

/** The logger that the package writes to, for example one of pino. */
export interface Log {
  readonly debug: WriteLine
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
}
