const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads a text as an id of ours, in small letters. @returns undefined when it has another shape */
export function readId(text: string): string | undefined {
  const id = text.toLowerCase()
  return uuidPattern.test(id) ? id : undefined
}

export function isId(text: string): boolean {
  return readId(text) !== undefined
}
