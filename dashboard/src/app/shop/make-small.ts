import { shopWords } from '../words/prices.ts'

/** The longer side of a stored logo, in pixels: sharp on a phone where it is shown at 48. */
const sideMax = 256

/**
 * Makes a picture small enough to be stored, on this device. What a camera writes into a picture, such as the place, is left out.
 * @throws Error when the file is no picture
 */
export async function makeSmall(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(shopWords.noPicture)
  })
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const small = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/png')
  })
  if (!small) throw new Error(shopWords.noPicture)
  return small
}
