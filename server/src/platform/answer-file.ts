import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type MadeFile = {
  readonly contentType: string
  readonly body: Buffer
  readonly etag: string
  /** True: the file is made once and sent often, so it is worth compressing. False: it is sent as it is. */
  readonly isMadeOnce: boolean
}

export function makeFile(contentType: string, content: string | Buffer): MadeFile {
  const body = Buffer.from(content)
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 16)
  return { contentType, body, etag, isMadeOnce: true }
}

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const

type Coding = keyof typeof compressions

/** The best coding that the client accepts. `;q=0` refuses a coding; `*` means all codings that the header does not name. */
function chooseCoding(header: string | undefined): Coding | undefined {
  const codings = (header ?? '').split(',').map((part) => part.trim().toLowerCase())
  const accepted = new Map(codings.map((coding) => [coding.split(';')[0]?.trim(), !/;\s*q=0(\.0*)?$/.test(coding)]))
  const isAccepted = (coding: Coding) => accepted.get(coding) ?? accepted.get('*') ?? false
  return (['br', 'gzip'] as const).find(isAccepted)
}

/** Compresses a file at its first request in a coding, and keeps the result. */
function openCompressed(): (file: MadeFile, coding: Coding) => Promise<Buffer> {
  const known = new WeakMap<MadeFile, Map<Coding, Promise<Buffer>>>()
  return (file, coding) => {
    const ofFile = known.get(file) ?? new Map<Coding, Promise<Buffer>>()
    known.set(file, ofFile)
    const compressed = ofFile.get(coding) ?? compressions[coding](file.body)
    ofFile.set(coding, compressed)
    return compressed
  }
}

/** True when the client already has this copy (RFC 9110, section 13.1.2: weak comparison). */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

/**
 * Answers requests with files in memory: `isMadeOnce` files compressed where the client accepts it, and 304 to a client that
 * has this copy.
 */
export function openFileAnswers() {
  const compress = openCompressed()
  return async (file: MadeFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const coding = file.isMadeOnce ? chooseCoding(request.headers['accept-encoding']) : undefined
    const etag = `"${file.etag}${coding === undefined ? '' : `-${coding}`}"`
    reply.header('vary', 'accept-encoding').header('etag', etag).type(file.contentType)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (coding === undefined) return reply.send(file.body)
    return reply.header('content-encoding', coding).send(await compress(file, coding))
  }
}
