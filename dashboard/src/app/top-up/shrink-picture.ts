/** The server accepts at most this many bytes for a picture: 1 MiB. */
export const pictureBytesMax = 1_048_576

/** The lengths of the longer side, in pixels, that are tried one after another. Each is enough to read a receipt. */
const longerSides = [1_600, 1_200, 900] as const
const jpegQuality = 0.8

function draw(bitmap: ImageBitmap, longerSide: number): Promise<Blob | null> {
  const share = Math.min(1, longerSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * share)
  canvas.height = Math.round(bitmap.height * share)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', jpegQuality))
}

/**
 * Makes a picture small enough to be sent, as JPEG. A PNG or JPEG that is small already, and a picture that the browser cannot
 * read or make small enough, stay as they are.
 */
export async function shrinkPicture(picture: File): Promise<File> {
  const isTaken = ['image/png', 'image/jpeg'].includes(picture.type)
  if (isTaken && picture.size <= pictureBytesMax / 4) return picture
  try {
    const bitmap = await createImageBitmap(picture)
    for (const longerSide of longerSides) {
      const blob = await draw(bitmap, longerSide)
      if (blob && blob.size <= pictureBytesMax) {
        return isTaken && picture.size <= blob.size ? picture : new File([blob], 'receipt.jpg', { type: blob.type })
      }
    }
  } catch {
    // A file that is no picture, or of a kind that this browser cannot read.
  }
  return picture
}
