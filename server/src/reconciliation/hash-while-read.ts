import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'

export type HashedFile = {
  readonly file: Readable
  /** SHA-256 of the file. Call it once, after the end of the file. */
  readonly digest: () => Buffer
}

/** Hashes a file while it is read. The file is read only once, so it may be a pipe. */
export function hashWhileRead(source: Readable): HashedFile {
  const hash = createHash('sha256')
  const file = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // Makes a failure of the source an error of the returned file.
  pipeline(source, file, () => undefined)
  return { file, digest: () => hash.digest() }
}
