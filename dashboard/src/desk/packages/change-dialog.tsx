import { Button, Checkbox, Group, Modal, Radio, TextInput } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { useFocusBack } from '../../both/form/use-focus-back.ts'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { readMoment } from '../../both/moments/format-moment.ts'
import { sharedWords } from '../../both/words.ts'
import { packageWords as words } from '../words/packages.ts'
import { Differences, Losses } from './differences.tsx'
import { askPreview, doEdit, type EditPreview, fieldOf, type PackageEdit } from './package-calls.ts'
import css from './packages.module.css'

type Scheduled = { readonly setId: string; readonly effectiveAt: string; readonly note: string | null }

type Props = {
  readonly title: string
  readonly edit: PackageEdit
  /** The set of scheduled prices to change. Absent: the change is made now, or becomes a new set. */
  readonly scheduled?: Scheduled
  readonly onClose: () => void
  readonly onDone?: (() => void) | undefined
}

type WhenProps = {
  readonly at: string | undefined
  readonly setAt: (at: string | undefined) => void
  readonly isScheduled: boolean
}

function When({ at, setAt, isScheduled }: WhenProps) {
  const inAnHour = () => fieldOf(new Date(Date.now() + 3_600_000).toISOString())
  return (
    <div className={css.form}>
      {!isScheduled && (
        <Radio.Group
          label={fieldWords.when}
          value={at === undefined ? 'now' : 'later'}
          onChange={(value) => setAt(value === 'now' ? undefined : inAnHour())}
        >
          <Group mt={4}>
            <Radio value="now" label={fieldWords.now} />
            <Radio value="later" label={fieldWords.atATime} />
          </Group>
        </Radio.Group>
      )}
      {at !== undefined && <TextInput type="datetime-local" label={words.at} required {...bindText(at, setAt)} />}
    </div>
  )
}

type LossProps = { readonly preview: EditPreview; readonly isAllowed: boolean; readonly setAllowed: (is: boolean) => void }

function LossChoice({ preview, isAllowed, setAllowed }: LossProps) {
  if (preview.losses_in_all === 0) return null
  return (
    <div role="alert">
      <Losses preview={preview} />
      <Checkbox label={words.allowLoss} checked={isAllowed} onChange={({ currentTarget }) => setAllowed(currentTarget.checked)} />
    </div>
  )
}

/** Reads the preview of the change, and makes the change. */
function useChange({ edit, scheduled, onClose, onDone }: Props, at: string | undefined) {
  const id = useId()
  const moment = readMoment(at ?? '')
  const isAsked = at !== ''
  // The preview is not read again by itself, because a person decides about exactly what is shown.
  const preview = useQuery({
    queryKey: ['package-preview', id, moment],
    queryFn: () => askPreview(edit, moment, scheduled?.setId),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const doing = useAct(
    ({ seen, isBelowCostAllowed, text }: { seen: string; isBelowCostAllowed: boolean; text: string }) =>
      doEdit({ edit, seen, isBelowCostAllowed, words: text, at: moment, setId: scheduled?.setId }),
    ['packages', 'log', 'needs', 'alarms'],
    () => {
      onClose()
      onDone?.()
    },
  )
  return { preview, doing, isAsked }
}

type ShownProps = Omit<LossProps, 'preview'> & { readonly isAsked: boolean; readonly preview: UseQueryResult<EditPreview> }

function Shown({ isAsked, preview, ...choice }: ShownProps) {
  if (!isAsked) return <p>{words.atNeeded}</p>
  return (
    <QueryAnswer query={preview}>
      {(answer) => (
        <>
          <Differences preview={answer} />
          <LossChoice preview={answer} {...choice} />
        </>
      )}
    </QueryAnswer>
  )
}

function Refused({ error, onShowAgain }: { readonly error: unknown; readonly onShowAgain: () => void }) {
  return (
    <>
      <Failure error={error} />
      <Button variant="light" onClick={onShowAgain}>
        {words.showAgain}
      </Button>
    </>
  )
}

/** Shows the effect of a change of the price list, and makes exactly this change: now, or at the chosen minute. */
export function ChangeDialog(props: Props): ReactNode {
  const { title, scheduled, onClose } = props
  useFocusBack()
  const [at, setAt] = useState(scheduled === undefined ? undefined : fieldOf(scheduled.effectiveAt))
  const [isAllowed, setAllowed] = useState(false)
  const [text, setText] = useState(scheduled?.note ?? '')
  const { preview, doing, isAsked } = useChange(props, at)
  const hasLosses = (preview.data?.losses_in_all ?? 0) > 0
  const isEmpty = preview.data !== undefined && preview.data.packages.length === 0
  const isReady = isAsked && preview.data !== undefined && !isEmpty && (!hasLosses || (isAllowed && text.trim() !== ''))
  const isLater = at !== undefined
  return (
    // Nobody can close it until the server has answered: the answer may be a refusal, which is shown in it.
    <Modal opened onClose={doing.isPending ? () => undefined : onClose} size="lg" title={<b>{title}</b>}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          const { seen } = preview.data ?? {}
          if (seen !== undefined) doing.mutate({ seen, isBelowCostAllowed: hasLosses && isAllowed, text: text.trim() })
        }}
      >
        <When at={at} setAt={setAt} isScheduled={scheduled !== undefined} />
        <Shown isAsked={isAsked} preview={preview} isAllowed={isAllowed} setAllowed={setAllowed} />
        <TextInput
          label={isLater ? words.note : fieldWords.reason}
          description={fieldWords.reasonHelp}
          required={hasLosses && isAllowed}
          maxLength={500}
          {...bindText(text, setText)}
        />
        {doing.isError && (
          <Refused
            error={doing.error}
            onShowAgain={() => {
              doing.reset()
              void preview.refetch()
            }}
          />
        )}
        <Group grow>
          <Button variant="default" onClick={onClose} disabled={doing.isPending}>
            {sharedWords.cancel}
          </Button>
          <Button type="submit" loading={doing.isPending} disabled={!isReady}>
            {isLater ? words.schedule : fieldWords.save}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
