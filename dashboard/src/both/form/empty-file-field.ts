import type { MouseEvent } from 'react'

/**
 * Empties a field for a file when it is clicked, so that the same file can be chosen again after it was corrected. A browser tells
 * only of a file with another name.
 */
export function emptyFileField({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  currentTarget.value = ''
}
