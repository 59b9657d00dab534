import { Group, Radio, useMantineColorScheme } from '@mantine/core'
import { fieldWords } from '../field-words.ts'

const schemes = ['light', 'dark', 'auto'] as const

/** Lets the person choose light colours, dark ones, or those that the device is set to. The browser keeps the choice. */
export function ColourSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Radio.Group
      label={fieldWords.colours}
      value={colorScheme}
      onChange={(chosen) => setColorScheme(schemes.find((scheme) => scheme === chosen) ?? 'auto')}
    >
      <Group gap={24} mt={8}>
        {schemes.map((scheme) => (
          <Radio key={scheme} value={scheme} label={fieldWords[scheme]} mih={44} styles={{ body: { alignItems: 'center' } }} />
        ))}
      </Group>
    </Radio.Group>
  )
}
