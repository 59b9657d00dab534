import { inflateSync } from 'node:zlib'

const objectPattern = /(\d+) 0 obj\n([\s\S]*?)\nendobj/g

/** The objects of a document by their numbers, each byte as one character. */
function readObjects(document: Buffer): Map<string, string> {
  return new Map([...document.toString('latin1').matchAll(objectPattern)].map(([, no = '', body = '']) => [no, body]))
}

function streamOf(body: string | undefined): string {
  const [, content] = /stream\n([\s\S]*)\nendstream/.exec(body ?? '') ?? []
  if (content === undefined) throw new Error('this object has no stream')
  const bytes = Buffer.from(content, 'latin1')
  return (body?.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1')
}

/** What the codes of a font mean, by its own table for whoever copies text out of the document. */
function readLetters(table: string): Map<string, string> {
  const letters = new Map<string, string>()
  for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]/g)) {
    const meanings = [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, units = '']) =>
      String.fromCharCode(...units.split(' ').map((unit) => Number.parseInt(unit, 16))),
    )
    for (const [index, meaning] of meanings.entries()) {
      letters.set((Number.parseInt(first, 16) + index).toString(16).padStart(4, '0'), meaning)
    }
  }
  return letters
}

type Fonts = ReadonlyMap<string, ReadonlyMap<string, string>>

function readFonts(objects: ReadonlyMap<string, string>): Fonts {
  const fonts = new Map<string, Map<string, string>>()
  for (const body of objects.values()) {
    for (const [, name = '', no = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, table = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(no) ?? '') ?? []
      fonts.set(name, readLetters(streamOf(objects.get(table))))
    }
  }
  return fonts
}

function readTexts(content: string, fonts: Fonts): string[] {
  let letters: ReadonlyMap<string, string> = new Map()
  const texts: string[] = []
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (font !== undefined) letters = fonts.get(font) ?? new Map()
    const codes = [...(shown ?? '').matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
    if (shown !== undefined) texts.push(codes.map((code) => letters.get(code) ?? `<${code}>`).join(''))
  }
  return texts
}

/** The texts on each page of a document that pdfkit made, in the order in which they were drawn. */
export function readPdf(document: Buffer): string[][] {
  const objects = readObjects(document)
  const fonts = readFonts(objects)
  const pages = [...objects.values()].find((body) => body.includes('/Type /Pages')) ?? ''
  const [, kids = ''] = /\/Kids \[(.*?)\]/.exec(pages) ?? []
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, no = '']) => {
    const [, content = ''] = /\/Contents (\d+) 0 R/.exec(objects.get(no) ?? '') ?? []
    return readTexts(streamOf(objects.get(content)), fonts)
  })
}
