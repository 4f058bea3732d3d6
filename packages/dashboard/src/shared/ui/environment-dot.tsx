import { ColorSwatch } from '@mantine/core'

/** An environment's color, beside its name. */
export function EnvironmentDot({ color, size = 10 }: { readonly color: string; readonly size?: number }) {
  return <ColorSwatch color={color} size={size} withShadow={false} aria-hidden="true" />
}
