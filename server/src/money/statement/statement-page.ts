import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type Pdfkit from 'pdfkit'

/** `require` is used because `import` would give Node the library's edition for browsers, which cannot read files. */
const { PDFDocument } = createRequire(import.meta.url)('pdfkit') as { PDFDocument: typeof Pdfkit }

/** Sizes in points of an A4 page, with room for the head and the foot. */
export const page = { width: 595.28, height: 841.89, left: 40, right: 555, top: 44, bottom: 792, footY: 806, sealY: 820 } as const

/** Noto Sans has the letters of Ghana's languages (ɛ, ɔ, ŋ, ɖ). The 14 standard fonts of PDF lack them. */
const fontFiles = {
  regular: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')),
  bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
} as const

export type FontName = keyof typeof fontFiles

/** `isRight`: the text ends at x. A text longer than `width` is cut, with an ellipsis. */
export type TextStyle = {
  readonly size: number
  readonly font?: FontName
  readonly colour?: string
  readonly isRight?: boolean
  readonly width?: number
}

export type Sheet = {
  readonly document: PDFKit.PDFDocument
  write(text: string, x: number, y: number, style: TextStyle): void
  line(y: number): void
}

const onOneLine = { lineBreak: false } as const

/** Drawn for a character that the font does not have. */
const replacement = '\uFFFD'

type Glyph = { readonly id: number; readonly advanceWidth: number }
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }

/** The fields that we use of pdfkit's font. */
type OpenedFont = {
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): Glyph
  layout(text: string): {
    readonly glyphs: readonly Glyph[]
    readonly positions: readonly Position[]
    readonly advanceWidth: number
  }
}

/** pdfkit keeps the font in use here, and its types leave it out. */
function openedFontOf(document: PDFKit.PDFDocument): OpenedFont {
  return (document as unknown as { _font: { font: OpenedFont } })._font.font
}

/**
 * Sets a font’s texts letter by letter. Ligatures and kerning, which the library does otherwise, take most of the time of a
 * long statement, and figures and references need none of them.
 */
function setLetterByLetter(font: OpenedFont): void {
  const glyphs = new Map<string, Glyph>()
  const glyphOf = (character: string) => {
    const glyph = glyphs.get(character) ?? font.glyphForCodePoint(character.codePointAt(0) ?? 0)
    glyphs.set(character, glyph)
    return glyph
  }
  font.layout = (text) => {
    const line = Array.from(text, glyphOf)
    const positions = line.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }))
    // The width is added up on demand, because the library first changes the positions to its own unit.
    return {
      glyphs: line,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }
  }
}

/**
 * Converts the text for the current font: accents are joined to their letters, control characters become spaces, and a
 * character that the font does not have, such as an emoji, becomes �.
 */
function showable(document: PDFKit.PDFDocument, text: string): string {
  const font = openedFontOf(document)
  const characters = Array.from(text.toWellFormed().normalize('NFC').replaceAll(/\p{C}/gu, ' '))
  return characters
    .map((character) => (font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : replacement))
    .join('')
}

function cut(document: PDFKit.PDFDocument, text: string, width: number): string {
  const isFitting = (part: string) => document.widthOfString(part, onOneLine) <= width
  if (isFitting(text)) return text
  const characters = Array.from(text)
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isFitting(`${characters.slice(0, middle).join('')}…`)) low = middle
    else high = middle - 1
  }
  return `${characters.slice(0, low).join('')}…`
}

export function openSheet(info: { readonly title: string; readonly author: string; readonly createdAt: Date }): Sheet {
  const { title, author, createdAt } = info
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    // No font is set at the beginning. The library would otherwise know the font by two names, and read its file again
    // at each text.
    font: '',
    // This cache would grow with every reference of a long statement.
    fontLayoutCache: false,
    info: { Title: title, Author: author, CreationDate: createdAt },
  })
  for (const [name, file] of Object.entries(fontFiles)) {
    document.registerFont(name, file)
    document.font(name)
    setLetterByLetter(openedFontOf(document))
  }
  return {
    document,
    write(text, x, y, { size, font = 'regular', colour = '#111111', isRight = false, width }) {
      document.font(font).fontSize(size).fillColor(colour)
      const shown = showable(document, text)
      const fitting = width === undefined ? shown : cut(document, shown, width)
      const start = isRight ? x - document.widthOfString(fitting, onOneLine) : x
      document.text(fitting, start, y, onOneLine)
    },
    line(y) {
      document.moveTo(page.left, y).lineTo(page.right, y).lineWidth(0.5).strokeColor('#999999').stroke()
    },
  }
}
