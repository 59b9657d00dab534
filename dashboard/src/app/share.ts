/** True when the browser can open the system's share sheet. */
export const canShare = 'share' in navigator

/** Opens the system's share sheet. It is no error if the person closes it. */
export async function share(what: ShareData): Promise<void> {
  await navigator.share(what).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  })
}

/** Gives a picture to the share sheet, or saves it where the system shares no files. */
export async function shareOrSave(file: File): Promise<void> {
  if (canShare && navigator.canShare({ files: [file] })) return share({ files: [file] })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  URL.revokeObjectURL(link.href)
}

/**
 * The address that opens WhatsApp with a text: to a phone number in the form 0241234567, or to whom the person chooses there.
 */
export const whatsAppAddress = (text: string, phone = ''): string =>
  `https://wa.me/${/^0\d{9}$/.test(phone) ? `233${phone.slice(1)}` : ''}?text=${encodeURIComponent(text)}`
