import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { post, remove, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { groupDigits } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { NumbersField } from '../numbers-field.tsx'
import { composerWords, contactWords, smsWords } from '../words/sms.ts'
import css from './sms.module.css'
import { WrongNumbers } from './wrong-numbers.tsx'

type ListProps = { readonly list_id: string }

/** Adds numbers in two steps: first shows what would happen, then adds them. */
function AddNumbers({ list_id }: ListProps) {
  const [text, setText] = useState('')
  const importing = useAct(
    (sent: { readonly text: string; readonly is_dry_run: boolean }) =>
      post('/app/api/sms/lists/{list_id}/import', { list_id, ...sent }),
    ['sms'],
    // Numbers that were typed meanwhile stay.
    (_answer, sent) => !sent.is_dry_run && setText((now) => (now === sent.text ? '' : now)),
  )
  const { data } = importing
  const wasDryRun = importing.variables?.is_dry_run === true
  const change = (value: string) => {
    setText(value)
    importing.reset()
  }
  const isChecked = data !== undefined && wasDryRun
  return (
    <Section title={contactWords.add}>
      <Card>
        <NumbersField
          label={contactWords.addField}
          placeholder={contactWords.addHint}
          file={fieldWords.takeFromFile}
          text={text}
          onText={change}
        />
        {data && (
          <div role="status">
            <b>{wasDryRun ? contactWords.new(data.added) : contactWords.added(data.added)}</b>
            {data.known > 0 && <p className={css.note}>{contactWords.known(data.known)}</p>}
            {data.repeated > 0 && <p className={css.note}>{composerWords.twice(data.repeated)}</p>}
            <WrongNumbers wrong={data.wrong} count={data.wrong_count} />
          </div>
        )}
        <div className={css.actions}>
          {isChecked && data.added > 0 ? (
            <Button loading={importing.isPending} onClick={() => importing.mutate({ text, is_dry_run: false })}>
              {contactWords.addThem(data.added)}
            </Button>
          ) : (
            <Button
              variant="light"
              loading={importing.isPending}
              disabled={text.trim() === '' || isChecked}
              onClick={() => importing.mutate({ text, is_dry_run: true })}
            >
              {isChecked ? contactWords.nothingNew : contactWords.check}
            </Button>
          )}
        </div>
      </Card>
      {importing.isError && <Failure error={importing.error} />}
    </Section>
  )
}

type RowsProps = ListProps & { readonly contacts: Schema<'SmsContacts'>['contacts']; readonly maySend: boolean }

function ContactRows({ list_id, contacts, maySend }: RowsProps) {
  return (
    <Rows label={smsWords.contacts} empty={{ title: contactWords.empty }}>
      {contacts.map(({ number, name }) => {
        const phone = groupDigits(`0${number.slice(3)}`)
        return (
          <Row
            key={number}
            title={name ?? phone}
            detail={name === null ? undefined : phone}
            end={
              maySend && (
                <ActNow
                  label={fieldWords.remove}
                  variant="subtle"
                  aria-label={`${fieldWords.remove} ${number}`}
                  run={() => remove('/app/api/sms/lists/{list_id}/contacts/{number}', { list_id, number })}
                  topics={['sms']}
                />
              )
            }
          />
        )
      })}
    </Rows>
  )
}

function DeleteList({ list_id }: ListProps) {
  const [, navigate] = useLocation()
  return (
    <Act
      label={contactWords.deleteList}
      question={contactWords.askDelete}
      no={fieldWords.keepIt}
      button={{ variant: 'default', mt: 24 }}
      run={async () => {
        await remove('/app/api/sms/lists/{list_id}', { list_id })
        navigate('/sms/contacts')
      }}
      topics={['sms']}
    />
  )
}

/** One contact list: its numbers, a form to add more, and a link to write to it. */
export default function ContactListScreen() {
  const { id } = useParams<{ id: string }>()
  const [after, setAfter] = useState('')
  const contacts = useRead(
    'sms',
    '/app/api/sms/lists/{list_id}',
    { list_id: id, after: after || undefined },
    { placeholderData: keepPreviousData },
  )
  const maySend = useMay('send_sms')
  const list = contacts.data?.list
  return (
    <Page
      title={list?.is_opt_out ? contactWords.optedOut : (list?.name ?? smsWords.contacts)}
      end={list && <span className={css.note}>{contactWords.count(list.contacts)}</span>}
    >
      <QueryAnswer query={contacts}>
        {({ contacts: found, next }) => (
          <>
            {list?.is_opt_out && <p className={css.above}>{contactWords.optedOutNote}</p>}
            {maySend && found.length > 0 && !list?.is_opt_out && (
              <Button component={Link} href={`/sms/new?list=${id}`} mb={16}>
                {contactWords.send}
              </Button>
            )}
            <ContactRows list_id={id} contacts={found} maySend={maySend} />
            <div className={css.actions}>
              {after !== '' && (
                <Button variant="default" onClick={() => setAfter('')}>
                  {contactWords.first}
                </Button>
              )}
              {next !== null && (
                <Button variant="default" onClick={() => setAfter(next)}>
                  {fieldWords.showMore}
                </Button>
              )}
            </div>
          </>
        )}
      </QueryAnswer>
      {maySend && (
        <>
          <AddNumbers list_id={id} />
          {list && !list.is_opt_out && <DeleteList list_id={id} />}
        </>
      )}
    </Page>
  )
}
