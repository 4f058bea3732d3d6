/**
 * Returns a page that opens a path of this server. The session's cookie is SameSite=Strict, so the browser
 * does not send it with a redirect of a navigation that began at the provider's site. It sends it with the
 * next navigation, which this page begins.
 */
export function continuePage(path: string): string {
  const target = escapeAttribute(path)
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="refresh" content="0;url=${target}">`,
    '<title>Signed in</title>',
    `<p>You are signed in. <a href="${target}">Continue</a></p>`,
    '</html>',
  ].join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeAttribute = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
