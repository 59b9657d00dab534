import { Button, TextInput } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api, type FieldsOf, post, requestData } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { emptyFileField } from '../../both/form/empty-file-field.ts'
import { bindText } from '../../both/form/typed.ts'
import { Card } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { isKnownOutcome, useReference } from '../../both/money/use-reference.ts'
import { topUpWords } from '../words/top-up.ts'
import { pictureBytesMax, shrinkPicture } from './shrink-picture.ts'
import css from './top-up.module.css'

type Transfer = Omit<FieldsOf<'/app/api/top-ups/transfers', 'post'>, 'reference'> & { readonly picture: File | undefined }

/** Sends the bytes of a picture as they are. */
function sendPicture(topUpId: string, picture: File) {
  return requestData(() =>
    api.PUT('/app/api/top-ups/{top_up_id}/picture', {
      params: { path: { top_up_id: topUpId } },
      body: picture as never,
      bodySerializer: (body) => body as never,
      headers: { 'content-type': picture.type },
    }),
  )
}

/**
 * Reports the transfer, adds the picture, and opens the screen of the top-up. If only the picture failed, the reference stays:
 * the next try finds the reported transfer and sends the picture again.
 */
function useNoting(onMade: (topUpId: string) => void) {
  const { reference, renew } = useReference('transfer')
  const [, go] = useLocation()
  const note = async ({ picture, ...transfer }: Transfer) => {
    const topUp = await post('/app/api/top-ups/transfers', { reference, ...transfer }).catch((error: unknown) => {
      if (isKnownOutcome(error)) renew()
      throw error
    })
    onMade(topUp.top_up_id)
    if (picture) await sendPicture(topUp.top_up_id, picture)
    renew()
    return topUp
  }
  return useAct(note, ['top-ups'], ({ top_up_id: id }) => go(`/top-up/${id}`))
}

type PictureProps = { readonly isTooLarge: boolean; readonly onChange: (picture: File | undefined) => void }

function PictureField({ isTooLarge, onChange }: PictureProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{topUpWords.picture}</label>
      <input
        id={id}
        type="file"
        accept="image/*"
        onClick={(event) => {
          emptyFileField(event)
          onChange(undefined)
        }}
        onChange={(event) => onChange(event.currentTarget.files?.[0])}
      />
      <p className={css.help} role={isTooLarge ? 'alert' : undefined}>
        {isTooLarge ? topUpWords.pictureTooLarge : topUpWords.pictureHelp}
      </p>
    </div>
  )
}

type Props = {
  readonly amount: number | undefined
  readonly instructions: string
  /** Called when the transfer was reported, before its picture is sent. */
  readonly onMade: (topUpId: string) => void
}

/**
 * The form for a transfer that the reseller makes by bank or mobile money, outside this app, and reports here with its number.
 */
export default function TransferForm({ amount, instructions, onMade }: Props) {
  const [number, setNumber] = useState('')
  const [note, setNote] = useState('')
  const [picture, setPicture] = useState<File>()
  const [isShrinking, setShrinking] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const noting = useNoting(onMade)
  const isTooLarge = (picture?.size ?? 0) > pictureBytesMax
  const lastChosen = useRef<File>(undefined)
  const choose = async (chosen: File | undefined) => {
    lastChosen.current = chosen
    setShrinking(true)
    const shrunk = chosen && (await shrinkPicture(chosen))
    // A large picture may be ready only after a smaller one that was chosen in its place.
    if (lastChosen.current !== chosen) return
    setPicture(shrunk)
    setShrinking(false)
  }
  const isReady = amount !== undefined && number.trim().length >= 3 && !isTooLarge
  return (
    <div className={css.fields}>
      <Card>
        <b>{topUpWords.instructions}</b>
        <p className={css.instructions}>{instructions}</p>
      </Card>
      <TextInput
        label={topUpWords.number}
        description={topUpWords.numberHelp}
        autoComplete="off"
        maxLength={60}
        {...bindText(number, setNumber)}
      />
      <TextInput label={topUpWords.note} maxLength={200} {...bindText(note, setNote)} />
      <PictureField isTooLarge={isTooLarge} onChange={(chosen) => void choose(chosen)} />
      {noting.isError && <Failure error={noting.error} />}
      <div className={css.act}>
        <Button fullWidth size="md" disabled={!isReady} loading={noting.isPending || isShrinking} onClick={() => setAsking(true)}>
          {topUpWords.noteTransfer}
        </Button>
      </div>
      {amount !== undefined && (
        <ConfirmMoney
          isOpen={isAsking}
          question={topUpWords.noteQuestion(formatGhs(amount))}
          amount={amount}
          action={topUpWords.noteNow}
          isBusy={noting.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            const transfer = { amount, transfer_reference: number.trim(), note: note.trim() || undefined, picture }
            noting.mutate(transfer, { onSettled: () => setAsking(false) })
          }}
        >
          <p className={css.help}>{topUpWords.noteHelp}</p>
        </ConfirmMoney>
      )}
    </div>
  )
}
