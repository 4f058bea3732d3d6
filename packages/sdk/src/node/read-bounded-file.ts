import { open } from 'node:fs/promises'

/** The largest file that is read by default: 64 MiB. */
export const MAX_FILE_BYTES = 64 * 1_024 * 1_024

/**
 * Reads the bytes of a file.
 * @throws RangeError when the file is larger than `maxBytes`, also when it grows while it is read.
 */
export async function readBoundedFile(file: string, maxBytes: number): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.alloc(Math.min(size, maxBytes) + 1)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    if (length > maxBytes) throw new RangeError(`${file} has more than ${maxBytes} bytes`)
    return buffer.subarray(0, length)
  } finally {
    await handle.close()
  }
}
