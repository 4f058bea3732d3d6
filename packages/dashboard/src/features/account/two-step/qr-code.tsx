import { Center } from '@mantine/core'
import qrcode from 'qrcode-generator'

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** The size by the length of the text, and the level of error correction that screens need. */
const AUTOMATIC = 0
const LEVEL = 'M'
const QUIET_MODULES = 4
const SIZE_PX = 200

/** A QR code, drawn here: no other service sees its text. Scanners need dark on white in every theme. */
export function QrCode({ label, text }: QrCodeProps) {
  const code = qrcode(AUTOMATIC, LEVEL)
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const side = count + 2 * QUIET_MODULES
  const cells = Array.from(
    { length: count * count },
    (_, at) => [Math.floor(at / count), at % count] as const,
  )
  const path = cells
    .filter(([row, column]) => code.isDark(row, column))
    .map(([row, column]) => `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`)
    .join('')
  return (
    <Center>
      <svg role="img" aria-label={label} width={SIZE_PX} height={SIZE_PX} viewBox={`0 0 ${side} ${side}`}>
        <rect width={side} height={side} fill="#fff" />
        <path d={path} fill="#000" shapeRendering="crispEdges" />
      </svg>
    </Center>
  )
}
