import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FieldsOf } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { customerWords } from '../words/customers.ts'
import { choosePhoneContacts, hasPhoneContacts } from './phone-contacts.ts'

export type CustomerNote = FieldsOf<'/app/api/customers', 'post'>

type Props = {
  readonly initial: CustomerNote
  readonly save: (note: CustomerNote) => Promise<unknown>
  readonly onDone: () => void
}

/** The fields of a customer, for a new one and for one that is changed. */
export function CustomerForm({ initial, save, onDone }: Props) {
  const [name, setName] = useState(initial.name)
  const [numbers, setNumbers] = useState(initial.numbers.join('\n'))
  const [note, setNote] = useState(initial.note)
  const [isFavourite, setFavourite] = useState(initial.is_favourite)
  const sending = useAct(
    () =>
      save({
        name: name.trim(),
        numbers: numbers
          .split(/[\n,;]/)
          .map((number) => number.trim())
          .filter(Boolean),
        note: note.trim(),
        is_favourite: isFavourite,
      }),
    ['customers', 'customer', 'profit'],
    onDone,
  )
  const fromPhone = async () => {
    const [chosen] = await choosePhoneContacts(false)
    if (!chosen) return
    setName(chosen.name || name)
    setNumbers([numbers.trim(), ...chosen.numbers].filter(Boolean).join('\n'))
  }
  return (
    <Form
      sending={sending}
      action={customerWords.save}
      isReady={name.trim() !== ''}
      acts={
        hasPhoneContacts && (
          <Button variant="light" onClick={() => void fromPhone()}>
            {customerWords.fromPhone}
          </Button>
        )
      }
    >
      <TextInput label={customerWords.name} required maxLength={60} autoComplete="off" {...bindText(name, setName)} />
      <Textarea
        label={customerWords.numbers}
        description={customerWords.numbersHint}
        autosize
        minRows={2}
        inputMode="tel"
        {...bindText(numbers, setNumbers)}
      />
      <TextInput label={customerWords.note} maxLength={200} autoComplete="off" {...bindText(note, setNote)} />
      <Checkbox
        label={customerWords.favourite}
        checked={isFavourite}
        onChange={({ currentTarget }) => setFavourite(currentTarget.checked)}
      />
    </Form>
  )
}
