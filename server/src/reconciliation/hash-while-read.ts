import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'

/** A file whose bytes are hashed on their way to whoever reads it. */
export type HashedFile = {
  readonly file: Readable
  /** SHA-256 of what was read; to be asked once, at the end. */
  readonly digest: () => Buffer
}

/** Hashes a file while it is read, so that it is read once: it may be a pipe. */
export function hashWhileRead(source: Readable): HashedFile {
  const hash = createHash('sha256')
  const file = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // A failure of the source comes out of the file, which its reader sees.
  pipeline(source, file, () => undefined)
  return { file, digest: () => hash.digest() }
}
