import { Button } from '@mantine/core'
import { useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { NumbersField } from '../numbers-field.tsx'
import { customerWords } from '../words/customers.ts'
import css from './customers.module.css'
import { choosePhoneContacts, hasPhoneContacts } from './phone-contacts.ts'

/** A value as a cell of CSV. */
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Adds customers in two steps: first says what would happen, then adds them. */
function Import() {
  const [text, setText] = useState('')
  const importing = useAct(
    (isDryRun: boolean) => post('/app/api/customer-import', { text, is_dry_run: isDryRun }),
    ['customers'],
    (_answer, isDryRun) => !isDryRun && setText(''),
  )
  const { data, variables: wasDryRun } = importing
  const change = (value: string) => {
    setText(value)
    importing.reset()
  }
  const fromPhone = async () => {
    const chosen = await choosePhoneContacts(true)
    const lines = chosen.map(({ name, numbers }) => [name, ...numbers].map(cell).join(','))
    if (lines.length > 0) change([text.trimEnd(), ...lines].filter(Boolean).join('\n'))
  }
  const isChecked = data !== undefined && wasDryRun
  return (
    <Card>
      <NumbersField
        label={customerWords.importLabel}
        placeholder={customerWords.importHint}
        file={fieldWords.takeFromFile}
        text={text}
        onText={change}
      />
      {data && (
        <div role="status">
          <b>{wasDryRun ? customerWords.new_(data.added) : customerWords.added(data.added)}</b>
          {data.known > 0 && <p className={css.soft}>{customerWords.known(data.known)}</p>}
          {data.wrong.map(({ line, given }) => (
            <p key={line} className={css.soft}>
              {customerWords.wrong(line, given)}
            </p>
          ))}
          {data.wrong_count > data.wrong.length && (
            <p className={css.soft}>{customerWords.moreWrong(data.wrong_count - data.wrong.length)}</p>
          )}
        </div>
      )}
      <div className={css.actions}>
        <Button
          variant={isChecked ? 'filled' : 'light'}
          loading={importing.isPending}
          disabled={text.trim() === '' || (isChecked && data.added === 0)}
          onClick={() => importing.mutate(!isChecked)}
        >
          {isChecked && data.added > 0 ? customerWords.addThem(data.added) : customerWords.check}
        </Button>
        {hasPhoneContacts && (
          <Button variant="light" onClick={() => void fromPhone()}>
            {customerWords.fromPhone}
          </Button>
        )}
      </div>
      {importing.isError && <Failure error={importing.error} />}
    </Card>
  )
}

/** Imports customers from a file or the phone, and exports them as a file. */
export function CustomerFile({ mayWrite }: { readonly mayWrite: boolean }) {
  return (
    <Section title={customerWords.file} end={<FileLink href="/app/api/customers.csv" />}>
      {mayWrite && <Import />}
    </Section>
  )
}
