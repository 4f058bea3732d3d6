/** The nonce that the server gave this page; styles made at run time carry it (Content-Security-Policy). */
export const CSP_NONCE: string =
  document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
