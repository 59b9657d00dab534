import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../both/layout/wait.tsx'
import { sharedWords } from '../../both/words.ts'
import { frameWords } from '../words/frame.ts'
import type { ActProps } from './act.tsx'

type DialogProps = Omit<ActProps, 'label' | 'button'> & { readonly action: string; readonly onClose: () => void }

export default function ActDialog(props: DialogProps) {
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
