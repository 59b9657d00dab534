import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { ApiRefusal, get, post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { bindText } from '../../both/form/typed.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { BeforeAfter } from '../frame/panel.tsx'
import { frameWords } from '../words/frame.ts'
import { staffWords as words } from '../words/staff.ts'
import css from './staff.module.css'

type Found = Schema<'FoundPerson'>

function standingOf({ staff_role: role, member, has_two_factor: has, is_you: isYou }: Found): string {
  const standing = [
    ...(role === null ? [] : [words.staffAs(frameWords.roles[role])]),
    ...(member === null ? [] : [words.memberOf(member.role, member.account_name)]),
  ].join(' · ')
  if (isYou) return `${standing}. ${words.yourself}`
  return has ? standing : `${standing}. ${words.nothingToReset}`
}

/** Finds the person who lost a second factor, and removes the factor. */
export function LostFactor() {
  const [email, setEmail] = useState('')
  const [wasReset, setWasReset] = useState<string>()
  const finding = useMutation({
    mutationFn: () => get('/desk/api/persons', { email: email.trim() }),
    onMutate: () => setWasReset(undefined),
  })
  const found = finding.data
  const isUnknown = finding.error instanceof ApiRefusal && finding.error.status === 404
  return (
    <Section title={words.lost}>
      <Card>
        <p>{words.lostLead}</p>
        <form
          className={css.find}
          onSubmit={(event) => {
            event.preventDefault()
            finding.mutate()
          }}
        >
          <TextInput
            label={fieldWords.email}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            {...bindText(email, setEmail)}
          />
          <Button type="submit" variant="light" loading={finding.isPending}>
            {fieldWords.find}
          </Button>
        </form>
        {finding.isError && !isUnknown && <Failure error={finding.error} />}
        <div role="status">
          {isUnknown && words.notFound}
          {wasReset !== undefined && words.wasReset(wasReset)}
        </div>
        {found && wasReset === undefined && (
          <Rows label={words.lost}>
            <Row
              title={found.email}
              detail={standingOf(found)}
              end={
                found.staff_role === null && found.member !== null ? (
                  <Link href={`/accounts/${found.member.account_id}/all`}>{words.atAccount}</Link>
                ) : (
                  found.has_two_factor &&
                  !found.is_you && <ResetFactor email={found.email} onDone={() => setWasReset(found.email)} />
                )
              }
            />
          </Rows>
        )}
      </Card>
    </Section>
  )
}

type Props = { readonly email: string; readonly onDone?: () => void }

export function ResetFactor({ email, onDone }: Props) {
  return (
    <Act
      label={words.reset}
      question={words.resetQuestion(email)}
      reason="needed"
      reasonLabel={words.resetReason}
      isGrave
      run={(reason) => post('/desk/api/persons/reset-second-factor', { email, reason })}
      topics={['staff', 'accounts']}
      {...(onDone && { onDone })}
    >
      <BeforeAfter before={words.withFactor} after={words.withoutFactor} />
      <p>{words.resetLead}</p>
    </Act>
  )
}
