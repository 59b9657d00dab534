import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { sharedWords } from './words.ts'

/** A button that copies a text, and shows that it did. */
export function CopyText({ text, label = sharedWords.copy }: { readonly text: string; readonly label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 2_000 })
  return (
    <Button variant="light" onClick={() => copy(text)} aria-live="polite">
      {copied ? sharedWords.copied : label}
    </Button>
  )
}
