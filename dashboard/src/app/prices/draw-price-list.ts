import type { PriceList } from './priced-items.ts'

/** Sizes in pixels. The picture is as wide as chats show one. */
const width = 1080
const margin = 64
const lineHeight = 60
const groupHeight = 104
const headHeight = 200
const footHeight = 120
const columnGap = 72

const green = '#0c6b4f'
const ink = '#1d1b16'
const soft = '#5c574d'
const paper = '#fffdf8'
const line = '#e3ded2'

const font = (size: number, weight = 400) => `${weight} ${size}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`

/** A group has its lines in two columns. */
const rowsOf = (lines: PriceList['groups'][number]['lines']) => Math.ceil(lines.length / 2)

/** Writes a text, in smaller letters where it would be wider than `room`. */
function write(
  on: CanvasRenderingContext2D,
  text: string,
  place: { x: number; y: number; size: number; weight?: number; room: number },
) {
  const { x, y, weight, room } = place
  let { size } = place
  on.font = font(size, weight)
  while (on.measureText(text).width > room && size > 20) {
    size -= 2
    on.font = font(size, weight)
  }
  on.fillText(text, x, y)
}

/** Draws the list, in the browser, as a picture for chats and WhatsApp statuses. */
export async function drawPriceList({ shop, contact, groups }: PriceList): Promise<File> {
  const canvas = document.createElement('canvas')
  const rows = groups.reduce((total, { lines }) => total + groupHeight + rowsOf(lines) * lineHeight, 0)
  canvas.width = width
  canvas.height = headHeight + rows + footHeight
  const on = canvas.getContext('2d')
  if (!on) throw new Error('This browser cannot draw pictures.')
  on.fillStyle = paper
  on.fillRect(0, 0, canvas.width, canvas.height)
  on.fillStyle = green
  on.fillRect(0, 0, width, headHeight - 40)
  on.fillStyle = '#ffffff'
  write(on, shop, { x: margin, y: 104, size: 64, weight: 700, room: width - 2 * margin })
  let y = headHeight
  const columnWidth = (width - 2 * margin - columnGap) / 2
  for (const { name, lines } of groups) {
    on.fillStyle = green
    write(on, name, { x: margin, y: y + 56, size: 42, weight: 700, room: width - 2 * margin })
    y += groupHeight - 16
    for (const [place, [label, price]] of lines.entries()) {
      const x = margin + (place % 2) * (columnWidth + columnGap)
      const base = y + Math.floor(place / 2) * lineHeight
      on.fillStyle = ink
      write(on, label, { x, y: base + 32, size: 36, room: columnWidth / 2 })
      on.textAlign = 'right'
      write(on, price, { x: x + columnWidth, y: base + 32, size: 36, weight: 700, room: columnWidth / 2 })
      on.textAlign = 'left'
      on.fillStyle = line
      on.fillRect(x, base + 46, columnWidth, 2)
    }
    y += rowsOf(lines) * lineHeight + 16
  }
  on.fillStyle = soft
  if (contact !== undefined) write(on, contact, { x: margin, y: canvas.height - 48, size: 36, room: width - 2 * margin })
  const picture = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/png')
  })
  if (!picture) throw new Error('This browser cannot draw pictures.')
  return new File([picture], 'prices.png', { type: 'image/png' })
}
