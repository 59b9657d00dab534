import { Group, Radio } from '@mantine/core'
import type { ReactNode } from 'react'

type Props<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: Readonly<Record<Value, ReactNode>>
  readonly onChoose: (value: Value) => void
}

/** A few choices side by side, of which one is chosen. They wrap where there is little room. */
export function RadioRow<Value extends string>({ label, value, choices, onChoose }: Props<Value>) {
  const values = Object.keys(choices) as Value[]
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChoose(values.find((each) => each === chosen) ?? value)}>
      <Group gap="0 24px" mt={8}>
        {values.map((each) => (
          <Radio key={each} value={each} label={choices[each]} mih={44} styles={{ body: { alignItems: 'center' } }} />
        ))}
      </Group>
    </Radio.Group>
  )
}
