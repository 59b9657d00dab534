import { Button } from '@mantine/core'
import { CopyText } from './copy-text.tsx'
import { fieldWords } from './field-words.ts'

/** Saves a file from the browser's memory, without a request. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

type Props = { readonly text: string; readonly label: string; readonly fileName: string }

/** The buttons that copy a text and save it as a file, for a secret that is shown once. */
export function SaveTextButtons({ text, label, fileName }: Props) {
  return (
    <>
      <CopyText text={text} label={label} />
      <Button variant="default" onClick={() => saveFile(fileName, new Blob([`${text}\n`], { type: 'text/plain' }))}>
        {fieldWords.download}
      </Button>
    </>
  )
}
