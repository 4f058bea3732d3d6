import { EXIT, type ExitCode } from './exit-codes.ts'

/** An expected failure of a command: its message is printed as it is, without a stack. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  /** Lines below the message, such as the places of an invalid file. */
  readonly details: readonly string[]

  constructor(message: string, exitCode: ExitCode = EXIT.failed, details: readonly string[] = []) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.details = details
  }
}

/** Returns the error for a wrong command line, setting or file. */
export const usageError = (message: string, details: readonly string[] = []): CommandError =>
  new CommandError(message, EXIT.usage, details)
