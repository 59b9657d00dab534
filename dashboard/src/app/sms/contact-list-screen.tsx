import { Button, Modal } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Empty, Failure } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { showPhone } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { composerWords, contactWords } from '../words/sms.ts'
import { smsKey } from './ask-sms.ts'
import { NumbersField, WrongNumbers } from './numbers-field.tsx'
import css from './sms.module.css'

/** Adds the numbers of a text, or only shows what would happen. */
function useImport(listId: string, text: string, onAdded: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (isDryRun: boolean) =>
      answerOf(() =>
        api.POST('/app/api/sms/lists/{list_id}/import', {
          params: { path: { list_id: listId } },
          body: { text, is_dry_run: isDryRun },
        }),
      ),
    onSuccess: async (_answer, isDryRun) => {
      if (isDryRun) return
      onAdded()
      await queries.invalidateQueries({ queryKey: smsKey })
    },
  })
}

/** Adds numbers in two steps: first shows what would happen, then adds them. */
function AddNumbers({ listId }: { readonly listId: string }) {
  const [text, setText] = useState('')
  const importing = useImport(listId, text, () => setText(''))
  const { data, variables: wasDryRun } = importing
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
          hint={contactWords.addHint}
          file={contactWords.file}
          value={text}
          onChange={change}
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
            <Button loading={importing.isPending} onClick={() => importing.mutate(false)}>
              {contactWords.addThem(data.added)}
            </Button>
          ) : (
            <Button
              variant="light"
              loading={importing.isPending}
              disabled={text.trim() === '' || isChecked}
              onClick={() => importing.mutate(true)}
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

function DeleteList({ listId }: { readonly listId: string }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const deleting = useMutation({
    mutationFn: () => answerOf(() => api.DELETE('/app/api/sms/lists/{list_id}', { params: { path: { list_id: listId } } })),
    onSuccess: async () => {
      navigate('/sms/contacts')
      await queries.invalidateQueries({ queryKey: [...smsKey, 'lists'] })
    },
  })
  return (
    <>
      {deleting.isError && <Failure error={deleting.error} />}
      <Button mt={24} variant="default" onClick={() => setAsking(true)}>
        {contactWords.deleteList}
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={<b>{contactWords.askDelete}</b>}>
        <div className={css.actions}>
          <Button variant="default" onClick={() => setAsking(false)}>
            {contactWords.keepIt}
          </Button>
          <Button loading={deleting.isPending} onClick={() => deleting.mutate()}>
            {contactWords.deleteList}
          </Button>
        </div>
      </Modal>
    </>
  )
}

function useContacts(listId: string, after: string) {
  return useQuery({
    queryKey: [...smsKey, 'contacts', listId, after],
    queryFn: ({ signal }) =>
      answerOf(() =>
        api.GET('/app/api/sms/lists/{list_id}', {
          params: { path: { list_id: listId }, query: after === '' ? {} : { after } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

function RemoveContact({ listId, number }: { readonly listId: string; readonly number: string }) {
  const queries = useQueryClient()
  const removing = useMutation({
    mutationFn: () =>
      answerOf(() =>
        api.DELETE('/app/api/sms/lists/{list_id}/contacts/{number}', { params: { path: { list_id: listId, number } } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: smsKey }),
  })
  return (
    <Button
      variant="subtle"
      loading={removing.isPending}
      aria-label={`${contactWords.remove} ${number}`}
      onClick={() => removing.mutate()}
    >
      {contactWords.remove}
    </Button>
  )
}

/** One contact list: its numbers, a form to add more, and a link to write to it. */
export default function ContactListScreen() {
  const { id } = useParams<{ id: string }>()
  const [after, setAfter] = useState('')
  const contacts = useContacts(id, after)
  const maySend = useMay('send_sms')
  const list = contacts.data?.list
  return (
    <Page
      title={list?.name ?? contactWords.title}
      end={list && <span className={css.note}>{contactWords.count(list.contacts)}</span>}
    >
      <Asked query={contacts}>
        {({ contacts: found, next }) => (
          <>
            {maySend && found.length > 0 && (
              <Button component={Link} href={`/sms/new?list=${id}`} mb={16}>
                {contactWords.send}
              </Button>
            )}
            {found.length === 0 ? (
              <Empty title={contactWords.empty} />
            ) : (
              <Rows label={contactWords.title}>
                {found.map(({ number, name }) => (
                  <Row
                    key={number}
                    title={name ?? showPhone(`0${number.slice(3)}`)}
                    detail={name === null ? undefined : showPhone(`0${number.slice(3)}`)}
                    end={maySend && <RemoveContact listId={id} number={number} />}
                  />
                ))}
              </Rows>
            )}
            <div className={css.actions}>
              {after !== '' && (
                <Button variant="default" onClick={() => setAfter('')}>
                  {contactWords.first}
                </Button>
              )}
              {next !== null && (
                <Button variant="default" onClick={() => setAfter(next)}>
                  {contactWords.next}
                </Button>
              )}
            </div>
          </>
        )}
      </Asked>
      {maySend && <AddNumbers listId={id} />}
      {maySend && <DeleteList listId={id} />}
    </Page>
  )
}
