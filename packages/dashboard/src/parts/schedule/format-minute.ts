const minute = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** Formats a chosen time in the reader's own time zone: `Mon, 23 Nov 2026, 00:07`. */
export const formatMinute = (at: string): string => minute.format(Date.parse(at))
