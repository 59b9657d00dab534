import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './part-tabs.module.css'

type Props<Part extends string> = {
  readonly parts: readonly Part[]
  readonly labels: Readonly<Record<Part, string>>
  readonly shown: Part
  readonly onChoose: (part: Part) => void
  readonly children: (part: Part) => ReactNode
}

/** The parts of a screen or a panel behind tabs, one of them shown. */
export function PartTabs<Part extends string>({ parts, labels, shown, onChoose, children }: Props<Part>) {
  return (
    <Tabs value={shown} onChange={(part) => onChoose(part as Part)} keepMounted={false}>
      <Tabs.List className={css.tabs ?? ''}>
        {parts.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {labels[part]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map((part) => (
        <Tabs.Panel key={part} value={part} pt={12}>
          {children(part)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
