type Asker = () => Promise<boolean>

let asker: Asker | undefined

/**
 * Registers the dialog that asks for the password or a code.
 *
 * @returns a function that removes the dialog
 */
export function answerConfirmations(dialog: Asker): () => void {
  asker = dialog
  return () => {
    if (asker === dialog) asker = undefined
  }
}

/** Asks for the password or a code. False: the person closed the dialog without giving one. */
export function askConfirmation(): Promise<boolean> {
  return asker?.() ?? Promise.resolve(false)
}
