/** The connection ended before the response did. */
export class BrokenOff extends Error {
  constructor() {
    super('broken off')
    this.name = 'BrokenOff'
  }
}
