import { Button, type ButtonProps, Group, Modal, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Failure } from '../../both/layout/wait.tsx'
import { sharedWords } from '../../both/words.ts'
import { frameWords } from '../words/frame.ts'
import type { Topic } from './live.ts'

type Props = {
  /** What the button says: `Suspend`. */
  readonly label: string
  /** What is asked before it is done: `Suspend Ama Data?` */
  readonly question: string
  /** What the button in the dialog says; the label if left out. */
  readonly action?: string
  /** Whether the act takes a reason: one must be given, may be given, or is not asked for. */
  readonly reason?: 'needed' | 'possible' | 'none'
  /** What the reason is called, where another word fits better: evidence, answer. */
  readonly reasonLabel?: string
  readonly reasonHelp?: string
  /** Whether it takes something away. */
  readonly isGrave?: boolean
  readonly button?: ButtonProps
  /** Does it. An empty reason is an empty text. */
  readonly run: (reason: string) => Promise<unknown>
  /** What is to be asked for anew when it was done. */
  readonly topics: readonly Topic[]
  readonly onDone?: () => void
  /** What will happen: before → after, whom it concerns, fields of its own. */
  readonly children?: ReactNode
}

type DialogProps = Omit<Props, 'label' | 'button'> & { readonly action: string; readonly onClose: () => void }

function ActDialog(props: DialogProps) {
  const { question, action, reason = 'none', isGrave = false, run, topics, onDone, onClose, children } = props
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const acting = useMutation({
    mutationFn: () => run(text.trim()),
    onSuccess: async () => {
      const shown = [...topics, 'needs' as const, 'log' as const]
      await Promise.all(shown.map((topic) => queries.invalidateQueries({ queryKey: ['desk', topic] })))
      onClose()
      onDone?.()
    },
  })
  return (
    <Modal opened onClose={onClose} title={<b>{question}</b>}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          acting.mutate()
        }}
      >
        {children}
        {reason !== 'none' && (
          <Textarea
            mt={12}
            label={props.reasonLabel ?? frameWords.reason}
            description={props.reasonHelp ?? frameWords.reasonHelp}
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
            {sharedWords.cancel}
          </Button>
          <Button
            type="submit"
            loading={acting.isPending}
            disabled={reason === 'needed' && text.trim() === ''}
            {...(isGrave && { color: 'red.9' })}
          >
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** A button for one act of the staff: it says what will happen, asks once, takes a reason where one is kept, and shows a refusal. */
export function Act({ label, button, ...props }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="light" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <ActDialog {...props} action={props.action ?? label} onClose={() => setOpen(false)} />}
    </>
  )
}
