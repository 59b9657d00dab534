import { Button, type ButtonProps } from '@mantine/core'
import { fieldWords } from '../field-words.ts'

type Props = ButtonProps & { readonly href: string; readonly label?: string }

/** A link that saves a file; by default a list as CSV. */
export function FileLink({ label = fieldWords.downloadCsv, ...link }: Props) {
  return (
    <Button component="a" variant="subtle" {...link} download>
      {label}
    </Button>
  )
}
