type Asker = () => Promise<boolean>

let asker: Asker | undefined

/** The dialog that asks for the password or a code says that it is there. */
export function answerConfirmations(dialog: Asker): () => void {
  asker = dialog
  return () => {
    if (asker === dialog) asker = undefined
  }
}

/** Asks the person to prove who they are; false when they would rather not. */
export function askConfirmation(): Promise<boolean> {
  return asker?.() ?? Promise.resolve(false)
}
