/** The error when the connection was closed before the response was complete. */
export class BrokenOff extends Error {
  constructor() {
    super('broken off')
    this.name = 'BrokenOff'
  }
}
