import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { fieldWords } from './field-words.ts'

/** A button that copies a text, and shows that it did. */
export function CopyText({ text, label = fieldWords.copy }: { readonly text: string; readonly label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 2_000 })
  return (
    <Button variant="light" onClick={() => copy(text)} aria-live="polite">
      {copied ? fieldWords.copied : label}
    </Button>
  )
}
