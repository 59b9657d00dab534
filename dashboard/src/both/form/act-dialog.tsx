import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../api/use-read.ts'
import { fieldWords } from '../field-words.ts'
import { Failure } from '../layout/query-states.tsx'
import { sharedWords } from '../words.ts'
import type { ActProps } from './act.tsx'
import { type Fields, initialTexts, readDraft, readValues } from './fields.ts'
import { FormFields } from './form-fields.tsx'
import { useFocusBack } from './use-focus-back.ts'

type DialogProps<F extends Fields> = Omit<ActProps<F>, 'label' | 'button'> & {
  readonly action: NonNullable<ActProps<F>['action']>
  readonly onClose: () => void
}

/** The form of one action: what it does, its fields, the effect of what is typed, and the reason. */
export default function ActDialog<const F extends Fields>(props: DialogProps<F>) {
  const { question, action, reason = 'none', isGrave = false, fields = {} as F, onClose, children, effect } = props
  useFocusBack()
  const [text, setText] = useState('')
  const [typed, setTyped] = useState(() => initialTexts(fields))
  const draft = readDraft(fields, typed)
  const run = async () => props.run(text.trim(), readValues(fields, typed))
  // Also reads the log again, which has every action of the staff, and the needs, one of which may have ended.
  const acting = useAct(run, [...props.topics, 'needs', 'log'], () => {
    onClose()
    props.onDone?.(readValues(fields, typed))
  })
  return (
    // Nobody can close it until the server has answered: the answer may be a refusal, which is shown in it.
    <Modal opened onClose={acting.isPending ? () => undefined : onClose} title={<b>{question}</b>}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          acting.mutate()
        }}
      >
        {children}
        <FormFields fields={fields} typed={typed} onType={(name, value) => setTyped({ ...typed, [name]: value })} />
        {effect?.(draft)}
        {reason !== 'none' && (
          <Textarea
            mt={12}
            label={props.reasonLabel ?? fieldWords.reason}
            description={props.reasonHelp ?? fieldWords.reasonHelp}
            required={reason === 'needed'}
            maxLength={500}
            autosize
            minRows={2}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        {acting.isError && <Failure error={acting.error} />}
        <Group mt={16} grow>
          <Button variant="default" onClick={onClose} disabled={acting.isPending}>
            {props.no ?? sharedWords.cancel}
          </Button>
          <Button
            type="submit"
            loading={acting.isPending}
            disabled={reason === 'needed' && text.trim() === ''}
            {...(isGrave && { color: 'red.9' })}
          >
            {typeof action === 'function' ? action(draft) : action}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
