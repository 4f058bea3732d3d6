interface SecretOnceProps {
  readonly label: string
  readonly secret: string
  readonly hint?: string
}

/** A secret that is shown this once, to be copied. */
export function SecretOnce({ label, secret }: SecretOnceProps) {
  return (
    <p>
      {label} {secret}
    </p>
  )
}
