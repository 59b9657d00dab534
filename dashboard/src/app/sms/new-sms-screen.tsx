import { Button, Checkbox, Skeleton } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link } from 'wouter'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { Card, Page } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { exactMoment, readMoment } from '../../both/moments/format-moment.ts'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { isPriceChanged } from '../../both/money/use-reference.ts'
import { Chips } from '../buy/chips.tsx'
import { NumbersField } from '../numbers-field.tsx'
import { composerWords, contactWords, smsWords } from '../words/sms.ts'
import { useLists, useSenders, useSms } from './ask-sms.ts'
import { FirstTexts, InsertName, NamesPart } from './names-part.tsx'
import css from './sms.module.css'
import { TextCheck } from './text-check.tsx'
import { useComposer } from './use-composer.ts'
import { WrongNumbers } from './wrong-numbers.tsx'

const CustomerChips = lazy(() => import('../customers/customer-chips.tsx'))

type Composer = ReturnType<typeof useComposer>

function TextPart(composer: Composer) {
  const { writing, change, checks, named } = composer
  const field = useRef<HTMLTextAreaElement>(null)
  const { text: check } = checks
  const characters = Array.from(writing.message).length
  const [least, most] = named ? [named.segments_min, named.segments_max] : [check?.segments ?? 0, check?.segments ?? 0]
  return (
    <div>
      <label className={css.label}>
        {composerWords.text}
        <textarea
          ref={field}
          className={`${css.field} ${css.text}`}
          maxLength={1000}
          placeholder={composerWords.textHint}
          {...bindText(writing.message, (message) => change({ message }))}
        />
      </label>
      <div className={css.under}>
        <p className={css.note}>{composerWords.count(characters, least, most)}</p>
        <InsertName composer={composer} field={field} />
      </div>
      {writing.message.includes('{') && <p className={css.note}>{composerWords.nameNote}</p>}
      {check && (
        <TextCheck
          // The check counts segments before names are filled in, so it must not warn that a text has more of them.
          check={named ? { ...check, segments: check.plain_segments } : check}
          message={writing.message}
          onChange={(message) => change({ message })}
        />
      )}
      <NamesPart composer={composer} />
    </div>
  )
}

function ReachPart({ writing, change, checks }: Composer) {
  const lists = (useLists().data?.lists ?? []).filter(({ is_opt_out }) => !is_opt_out)
  const { reach } = checks
  const toggle = (id: string, isOn: boolean) => {
    const others = writing.listIds.filter((each) => each !== id)
    change({ listIds: isOn ? [...others, id] : others })
  }
  return (
    <div>
      <NumbersField
        label={fieldWords.numbers}
        placeholder={composerWords.numbersHint}
        file={fieldWords.takeFromFile}
        text={writing.recipients}
        onText={(recipients) => change({ recipients })}
      />
      <Suspense>
        <CustomerChips
          onNumbers={(numbers) => change({ recipients: [writing.recipients.trimEnd(), ...numbers].filter(Boolean).join('\n') })}
        />
      </Suspense>
      {lists.length > 0 && (
        <fieldset className={css.lists}>
          <legend className={css.label}>{composerWords.lists}</legend>
          {lists.map(({ list_id, name, contacts }) => (
            <Checkbox
              key={list_id}
              py={10}
              label={`${name} · ${contactWords.count(contacts)}`}
              checked={writing.listIds.includes(list_id)}
              onChange={(event) => toggle(list_id, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      {reach && (
        <div role="status" className={css.gap}>
          <Card>
            <b>{composerWords.ready(reach.recipients)}</b>
            {reach.opted_out > 0 && (
              <p className={css.note}>{composerWords.optedOut(reach.opted_out, reach.recipients + reach.opted_out)}</p>
            )}
            {reach.duplicates > 0 && <p className={css.note}>{composerWords.twice(reach.duplicates)}</p>}
            {reach.recipients > 10_000 && <p className={css.note}>{composerWords.tooMany}</p>}
            <WrongNumbers wrong={reach.wrong} count={reach.wrong_count} />
          </Card>
        </div>
      )}
    </div>
  )
}

/** In the format of a `datetime-local` field. Accra's time is UTC. */
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)

function WhenPart({ writing, change, checks }: Composer) {
  const { data, isPending } = useSenders()
  const senders = (data?.senders ?? []).filter(({ status }) => status === 'approved')
  const usual = senders.find(({ is_default }) => is_default)?.sender ?? ''
  const waitsUntil = checks.reach?.waits_until
  return (
    <div className={css.part}>
      {isPending && <Skeleton h={72} />}
      {senders.length > 0 && (
        <Chips
          legend={composerWords.sender}
          choices={senders.map(({ sender }) => ({ value: sender, label: sender }))}
          value={writing.sender === '' ? usual : writing.sender}
          onChoose={(sender) => change({ sender })}
        />
      )}
      <Chips
        legend={fieldWords.when}
        choices={[
          { value: 'now', label: fieldWords.now },
          { value: 'later', label: fieldWords.atATime },
        ]}
        value={writing.at === '' ? 'now' : 'later'}
        onChoose={(when) => change({ at: when === 'now' ? '' : inAnHour() })}
      />
      {writing.at !== '' && (
        <>
          <label className={css.label}>
            {composerWords.time}
            <input
              type="datetime-local"
              className={`${css.field} ${css.single}`}
              {...bindText(writing.at, (value) => value !== '' && change({ at: value }))}
            />
          </label>
          <p className={css.note}>{composerWords.timeNote}</p>
        </>
      )}
      {waitsUntil != null && (
        <p role="status" className={css.note}>
          {composerWords.waits(exactMoment(waitsUntil))}
        </p>
      )}
    </div>
  )
}

/** Says why the message cannot be sent yet; undefined when it can be sent. */
function obstacleOf({ writing, checks, named, cost }: Composer, credits: number): string | undefined {
  if (named?.credits === null) return composerWords.sayFallback
  if (writing.message.trim().length < 3 || cost === 0) return composerWords.nothingYet
  if (checks.text?.blocked_because != null) return composerWords.blocked
  if ((checks.reach?.recipients ?? 0) > 10_000) return composerWords.tooMany
  if (Date.parse(readMoment(writing.at) ?? '') <= Date.now()) return composerWords.timePassed
  if (cost > credits) return composerWords.missing(smsWords.countCredits(cost - credits))
  return undefined
}

type FootProps = { readonly composer: Composer; readonly credits: number; readonly onSend: () => void }

function Foot({ composer, credits, onSend }: FootProps) {
  const { writing, checks, named, cost } = composer
  const numbers = checks.reach?.recipients ?? 0
  const obstacle = obstacleOf(composer, credits)
  const words = smsWords.countCredits(cost)
  return (
    <>
      {cost > 0 && (
        <div className={css.cost}>
          <span>
            {named && named.segments_min < named.segments_max
              ? composerWords.costOfEach(numbers, named.segments_min, named.segments_max)
              : composerWords.cost(numbers, named?.segments_max ?? checks.text?.segments ?? 0)}
          </span>
          <b>{words}</b>
        </div>
      )}
      <Button fullWidth disabled={obstacle !== undefined || !checks.isFresh} onClick={onSend}>
        {writing.at === '' ? composerWords.send(words) : composerWords.schedule(words)}
      </Button>
      <p className={css.after}>
        {obstacle ?? `${composerWords.after}: ${smsWords.countCredits(credits - cost)}`}
        {cost > credits && (
          <>
            {' '}
            <Link href="/sms/credits">{smsWords.buyCredits}</Link>
          </>
        )}
      </p>
    </>
  )
}

function Failures({ checks, sending, keeping }: Composer) {
  const isSentBefore = sending.error instanceof ApiRefusal && sending.error.reason === 'reference_taken'
  if (isSentBefore) {
    return (
      <div role="alert" className={css.part}>
        <Card tone="gold">
          <b>{composerWords.sentBefore}</b>
          <p>
            {composerWords.sentBeforeNext} <Link href="/sms">{smsWords.campaigns}</Link>
          </p>
        </Card>
      </div>
    )
  }
  return (
    <div className={css.part}>
      {checks.error && <Failure error={checks.error} onRetry={checks.askAgain} />}
      {sending.isError && <Failure error={sending.error} />}
      {keeping.isError && <Failure error={keeping.error} />}
    </div>
  )
}

/** Writes a message: its text, its recipients, when to send it, and its price before it is sent. */
export default function NewSmsScreen() {
  const composer = useComposer()
  const credits = useSms().data?.credits ?? 0
  const [isAsking, setAsking] = useState(false)
  const { writing, checks, cost, sending, keeping } = composer
  const numbers = checks.reach?.recipients ?? 0
  const goesOut = checks.reach?.waits_until ?? readMoment(writing.at)
  const question =
    goesOut === undefined ? composerWords.askSend(numbers) : composerWords.askSchedule(numbers, exactMoment(goesOut))
  return (
    <Page
      title={smsWords.newMessage}
      end={<span className={css.note}>{smsWords.countCredits(credits)}</span>}
      foot={<Foot composer={composer} credits={credits} onSend={() => setAsking(true)} />}
    >
      <div className={css.columns}>
        <TextPart {...composer} />
        <div>
          <ReachPart {...composer} />
          <WhenPart {...composer} />
        </div>
      </div>
      <Failures {...composer} />
      <Button variant="default" mt={16} loading={keeping.isPending} onClick={() => keeping.mutate()}>
        {composerWords.keep}
      </Button>
      {keeping.isSuccess && (
        <p role="status" className={css.note}>
          {composerWords.kept}
        </p>
      )}
      <ConfirmMoney
        isOpen={isAsking}
        question={question}
        recipients={composer.named && <FirstTexts first={composer.named.first} />}
        amount={cost}
        balanceAfter={credits - cost}
        show={smsWords.countCredits}
        action={writing.at === '' ? composerWords.confirmSend : composerWords.confirmSchedule}
        isBusy={sending.isPending}
        refusal={sending.error}
        onConfirm={() => sending.mutate(undefined, { onSettled: (_sent, error) => setAsking(isPriceChanged(error)) })}
        onClose={() => setAsking(false)}
      />
    </Page>
  )
}
