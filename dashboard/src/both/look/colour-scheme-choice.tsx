import { useMantineColorScheme } from '@mantine/core'
import { fieldWords } from '../field-words.ts'
import { RadioRow } from '../form/radio-row.tsx'

/** Lets the person choose light colours, dark ones, or those that the device is set to. The browser keeps the choice. */
export function ColourSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { light, dark, auto } = fieldWords
  return <RadioRow label={fieldWords.colours} value={colorScheme} choices={{ light, dark, auto }} onChoose={setColorScheme} />
}
