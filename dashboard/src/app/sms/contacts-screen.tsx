import { useLocation } from 'wouter'
import { post, remove } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { cleanPhone, isPhone } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { contactWords, smsWords } from '../words/sms.ts'
import { useLists } from './ask-sms.ts'
import css from './sms.module.css'

function NewList() {
  const [, navigate] = useLocation()
  return (
    <Section title={contactWords.newList}>
      <Card>
        <SendForm
          fields={{ name: { kind: 'text', label: contactWords.listName, isNeeded: true, lengthMax: 60 } }}
          action={contactWords.make}
          run={({ name }) => post('/app/api/sms/lists', { name })}
          topics={['sms']}
          onDone={({ list_id }) => navigate(`/sms/contacts/${list_id}`)}
        />
      </Card>
    </Section>
  )
}

function Forget() {
  return (
    <Section title={contactWords.forget}>
      <Card>
        <SendForm
          fields={{
            phone: {
              kind: 'text',
              label: fieldWords.number,
              help: contactWords.forgetDetail,
              isNeeded: true,
              inputMode: 'tel',
              isReady: (text) => isPhone(cleanPhone(text)),
            },
          }}
          action={contactWords.forgetButton}
          button={{ variant: 'default' }}
          run={({ phone }) => remove('/app/api/sms/contacts/{number}', { number: `233${cleanPhone(phone).slice(1)}` })}
          topics={['sms']}
          done={({ deleted }) => contactWords.forgotten(deleted)}
        />
      </Card>
    </Section>
  )
}

export default function ContactsScreen() {
  const lists = useLists()
  const maySend = useMay('send_sms')
  return (
    <Page title={smsWords.contacts}>
      <QueryAnswer query={lists}>
        {({ lists: found }) => (
          <>
            <Rows label={smsWords.contacts} empty={{ title: contactWords.none, next: contactWords.noneNext }}>
              {found
                .filter(({ is_opt_out }) => !is_opt_out)
                .map(({ list_id, name, contacts }) => (
                  <Row key={list_id} href={`/sms/contacts/${list_id}`} title={name} detail={contactWords.count(contacts)} />
                ))}
            </Rows>
            <div className={css.gap}>
              <Rows label={contactWords.optedOut} empty={{ title: contactWords.optedOut }}>
                {found
                  .filter(({ is_opt_out }) => is_opt_out)
                  .map(({ list_id, contacts }) => (
                    <Row
                      key={list_id}
                      href={`/sms/contacts/${list_id}`}
                      title={contactWords.optedOut}
                      detail={contactWords.optedOutDetail(contacts)}
                    />
                  ))}
              </Rows>
            </div>
            {maySend && (
              <>
                <NewList />
                <Forget />
              </>
            )}
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
