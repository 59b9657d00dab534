import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../both/api/use-read.ts'
import { groupDigits } from '../../both/phones.ts'
import { helpWords as words } from '../words/help.ts'
import css from './help.module.css'

/** Writes a Ghanaian number as people read it aloud, and any other number with its country code. */
const shownNumber = (number: string): string => (number.startsWith('+233') ? groupDigits(`0${number.slice(4)}`) : number)

/** The address that opens a WhatsApp chat with this number and a first text. */
const chatWith = (number: string, text: string) =>
  `https://wa.me/${number.slice(1)}${text === '' ? '' : `?text=${encodeURIComponent(text)}`}`

type Props = {
  /** The text with which a WhatsApp message begins; empty by default. */
  readonly text?: string
  /** Shown where the operator has given no number. */
  readonly nobody?: string
  /** A further button. */
  readonly children?: ReactNode
}

/** Buttons to contact the operator, and the hours in which somebody answers. */
export function Contacts({ text = '', nobody, children }: Props) {
  const { data: help } = useRead('help', '/app/api/help', {}, { staleTime: 300_000 })
  const hasNumber = help !== undefined && (help.whatsapp !== null || help.phone !== null)
  return (
    <Stack gap={8}>
      {nobody !== undefined && help !== undefined && !hasNumber && <p>{nobody}</p>}
      <Group gap={8} className={css.ways}>
        {help?.whatsapp && (
          <Button component="a" href={chatWith(help.whatsapp, text)} target="_blank" rel="noreferrer" variant="light">
            {words.whatsapp}
          </Button>
        )}
        {help?.phone && (
          <Button component="a" href={`tel:${help.phone}`} variant="default">
            {words.call(shownNumber(help.phone))}
          </Button>
        )}
        {children}
      </Group>
      {hasNumber && help.hours && <small>{help.hours}</small>}
    </Stack>
  )
}
