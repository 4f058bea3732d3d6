/** The Content-Security-Policy of every answer that is no page: should a browser show it as one, it can load and run nothing. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'"
