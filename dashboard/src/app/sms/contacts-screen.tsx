import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Empty, Failure } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { cleanPhone } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { contactWords } from '../words/sms.ts'
import { smsKey, useLists } from './ask-sms.ts'
import css from './sms.module.css'

function NewList() {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const making = useMutation({
    mutationFn: () => answerOf(() => api.POST('/app/api/sms/lists', { body: { name: name.trim() } })),
    onSuccess: async ({ list_id }) => {
      await queries.invalidateQueries({ queryKey: smsKey })
      navigate(`/sms/contacts/${list_id}`)
    },
  })
  return (
    <Section title={contactWords.newList}>
      <Card>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            making.mutate()
          }}
        >
          <TextInput
            label={contactWords.listName}
            value={name}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div className={css.actions}>
            <Button type="submit" loading={making.isPending} disabled={name.trim() === ''}>
              {contactWords.make}
            </Button>
          </div>
        </form>
      </Card>
      {making.isError && <Failure error={making.error} />}
    </Section>
  )
}

function Forget() {
  const queries = useQueryClient()
  const [phone, setPhone] = useState('')
  const clean = cleanPhone(phone)
  const forgetting = useMutation({
    mutationFn: () =>
      answerOf(() => api.DELETE('/app/api/sms/contacts/{number}', { params: { path: { number: `233${clean.slice(1)}` } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: smsKey }),
  })
  return (
    <Section title={contactWords.forget}>
      <Card>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            forgetting.mutate()
          }}
        >
          <TextInput
            label={contactWords.forgetField}
            description={contactWords.forgetDetail}
            value={phone}
            inputMode="tel"
            autoComplete="off"
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <div className={css.actions}>
            <Button variant="default" type="submit" loading={forgetting.isPending} disabled={!/^0\d{9}$/.test(clean)}>
              {contactWords.forgetButton}
            </Button>
          </div>
        </form>
        {forgetting.isSuccess && (
          <p role="status" className={css.note}>
            {contactWords.forgotten(forgetting.data.deleted)}
          </p>
        )}
      </Card>
      {forgetting.isError && <Failure error={forgetting.error} />}
    </Section>
  )
}

export default function ContactsScreen() {
  const lists = useLists()
  const maySend = useMay('send_sms')
  return (
    <Page title={contactWords.title}>
      <Asked query={lists}>
        {({ lists: found }) =>
          found.length === 0 ? (
            <Empty title={contactWords.none}>{contactWords.noneNext}</Empty>
          ) : (
            <Rows label={contactWords.title}>
              {found.map(({ list_id, name, contacts }) => (
                <Row key={list_id} href={`/sms/contacts/${list_id}`} title={name} detail={contactWords.count(contacts)} />
              ))}
            </Rows>
          )
        }
      </Asked>
      {maySend && <NewList />}
      {maySend && <Forget />}
    </Page>
  )
}
