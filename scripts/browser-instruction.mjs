const BEGINNING = 'No browser starts here'

/** Describes in one line what to do about a browser that does not start; `problem` is the reason. */
export function browserInstruction(problem) {
  return (
    `${BEGINNING} (${problem}). Run "sudo npx playwright-core install-deps chromium" on Debian or Ubuntu, ` +
    'install Chromium at /usr/bin/chromium, or set SKIP_BROWSER_TESTS=1 to leave out the tests with a browser.'
  )
}

/** The instruction among the messages of failed tests, or null when all browsers started. */
export function findBrowserInstruction(messages) {
  const lines = messages.flatMap((message) => message.split('\n'))
  const line = lines.find((text) => text.includes(BEGINNING))
  return line?.slice(line.indexOf(BEGINNING)) ?? null
}
