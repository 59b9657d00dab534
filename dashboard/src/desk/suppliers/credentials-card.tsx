import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { credentialTitle } from '../words/credentials.ts'
import { settingsWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'
import css from './suppliers.module.css'

/** Sets credentials. The typed texts are forgotten when the dialog closes, and no answer of the server shows them again. */
function SetCredentials({ supplier: { supplier, credentials } }: { readonly supplier: DeskSupplier }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  return (
    <Act
      label={settingsWords.setCredentials}
      question={settingsWords.setQuestion(supplier)}
      reason="needed"
      button={{ size: 'compact-sm' }}
      topics={['suppliers', 'approvals']}
      onDone={() => setValues({})}
      run={(reason) =>
        answerOf(() =>
          api.POST('/desk/api/suppliers/{supplier}/credentials', {
            params: { path: { supplier } },
            body: { credentials: given, reason },
          }),
        )
      }
    >
      <p className={css.soft}>{settingsWords.credentialsHelp}</p>
      {credentials.map(({ name, is_set: isSet }) => (
        <PasswordInput
          key={name}
          mt={12}
          label={credentialTitle(name)}
          {...(isSet && { description: settingsWords.leaveEmpty })}
          autoComplete="off"
          maxLength={4_000}
          value={values[name] ?? ''}
          onChange={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
        />
      ))}
    </Act>
  )
}

/** Shows which credentials are set, and since when, but never the credentials. */
export function CredentialsCard({ supplier, mayChange }: { readonly supplier: DeskSupplier; readonly mayChange: boolean }) {
  const { credentials } = supplier
  if (credentials.length === 0) return null
  return (
    <>
      <div className={css.partHead}>
        <h2>{settingsWords.credentials}</h2>
        {mayChange && <SetCredentials supplier={supplier} />}
      </div>
      {supplier.proposal !== null && (
        <p>
          {settingsWords.credentialsWait} <Link href={`/approvals/${supplier.proposal}`}>{settingsWords.seeProposal}</Link>
        </p>
      )}
      <dl className={css.facts}>
        {credentials.map(({ name, is_set: isSet, set_at: at }) => [
          <dt key={name}>{credentialTitle(name)}</dt>,
          <dd key={`${name} state`}>
            {isSet ? <State tone="done">{settingsWords.isSet}</State> : <State tone="fail">{settingsWords.notSet}</State>}
            {at !== null && (
              <span className={css.soft}>
                {' '}
                {settingsWords.setAt} <Moment at={at} />
              </span>
            )}
          </dd>,
        ])}
      </dl>
    </>
  )
}
