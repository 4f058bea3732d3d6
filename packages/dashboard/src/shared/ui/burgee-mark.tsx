/** The flag on its mast. */
export function BurgeeMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M6 3v26" stroke="#8a95a5" strokeWidth={2.5} strokeLinecap="round" />
      <path d="M8 4.5 29 9l-6.5 5L29 19 8 23.5z" fill="#e0492f" />
    </svg>
  )
}
