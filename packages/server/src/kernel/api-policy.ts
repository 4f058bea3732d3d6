/**
 * The Content-Security-Policy of every response that is not a page. If a browser shows it as a page, it can
 * load and run nothing.
 */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'"
