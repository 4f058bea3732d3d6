/** The arguments of every browser in the tests. */
export const BROWSER_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Another name for this machine, which a browser does not treat as local.
  '--host-resolver-rules=MAP burgee.test 127.0.0.1',
]
