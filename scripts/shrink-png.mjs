import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** Of the PNG standard: sections 5.2 and 5.3 (chunks), 9 (filters), 11.2 (palettes). */
const SIGNATURE_BYTES = 8
const CHUNK_FRAME_BYTES = 12
const CHANNELS = { 2: 3, 6: 4 }
const INDEXED = 3
const PALETTE_MAX = 256
const FREQUENT = 128

/**
 * A browser's screenshot with a palette, at less than half the bytes. Colours beyond it become the nearest in it; what a page is
 * made of has few, and the rest are edges of letters. Takes 8 bits a channel without interlacing, as browsers write.
 */
export function shrinkPng(png) {
  const chunks = readChunks(png)
  const header = chunks.find(({ type }) => type === 'IHDR').data
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = CHANNELS[header[9]]
  if (header[8] !== 8 || channels === undefined || header[12] !== 0) return png
  const filtered = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
  )
  const { indexes, palette } = quantize(unfilter(filtered, { width, height, channels }), channels)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const indexed_header = Buffer.from(header)
  indexed_header[9] = INDEXED
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    writeChunk('IHDR', indexed_header),
    writeChunk('PLTE', palette),
    writeChunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The plain bytes of the picture, row after row. */
function unfilter(filtered, { width, height, channels }) {
  const stride = width * channels
  const plain = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < channels ? 0 : plain[at - channels]
      const up = y === 0 ? 0 : plain[at - stride]
      const corner = x < channels || y === 0 ? 0 : plain[at - stride - channels]
      plain[at] = filtered[y * (stride + 1) + 1 + x] + predict(filter, left, up, corner)
    }
  }
  return plain
}

function predict(filter, left, up, corner) {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const guess = left + up - corner
  const [to_left, to_up, to_corner] = [left, up, corner].map((value) => Math.abs(guess - value))
  if (to_left <= to_up && to_left <= to_corner) return left
  return to_up <= to_corner ? up : corner
}

function quantize(plain, channels) {
  const counts = new Map()
  const colours = new Uint32Array(plain.length / channels)
  for (let pixel = 0; pixel < colours.length; pixel++) {
    const at = pixel * channels
    const colour = (plain[at] << 16) | (plain[at + 1] << 8) | plain[at + 2]
    colours[pixel] = colour
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const kept = choosePalette(counts)
  const index_of = new Map([...counts.keys()].map((colour) => [colour, nearest(kept, colour)]))
  return {
    palette: Buffer.from(kept.flatMap(parts)),
    indexes: Uint8Array.from(colours, (colour) => index_of.get(colour)),
  }
}

/** Most by how often they occur, and some because nothing like them would be left: a small dot has a colour of its own. */
function choosePalette(counts) {
  const by_count = [...counts].sort(([, one], [, other]) => other - one)
  const kept = by_count.slice(0, FREQUENT).map(([colour]) => colour)
  const left = by_count.slice(FREQUENT).map(([colour, count]) => {
    const distance = Math.min(...kept.map((other) => distanceOf(colour, other)))
    return { colour, distance, weight: Math.sqrt(count) }
  })
  while (kept.length < PALETTE_MAX && left.length > 0) {
    const worth = left.map(({ distance, weight }) => distance * weight)
    const [{ colour }] = left.splice(worth.indexOf(Math.max(...worth)), 1)
    kept.push(colour)
    for (const other of left) other.distance = Math.min(other.distance, distanceOf(other.colour, colour))
  }
  return kept
}

function nearest(kept, colour) {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, candidate] of kept.entries()) {
    const distance = distanceOf(colour, candidate)
    if (distance >= least) continue
    best = index
    least = distance
  }
  return best
}

function distanceOf(one, other) {
  const [[r, g, b], [red, green, blue]] = [parts(one), parts(other)]
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
}

const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]

function readChunks(png) {
  const chunks = []
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + CHUNK_FRAME_BYTES
  }
  return chunks
}

function writeChunk(type, data) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
