const PRINTABLE_ASCII = /^[ -~]*$/
const LONE_SURROGATE = /\p{Surrogate}/gu

/** The bytes of a text in UTF-8, one for each character of the result. A lone surrogate is U+FFFD. */
export const utf8 = (text: string): string =>
  PRINTABLE_ASCII.test(text)
    ? text
    : encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD')).replace(/%(..)/g, (_all, byte) =>
        String.fromCharCode(Number.parseInt(byte, 16)),
      )
