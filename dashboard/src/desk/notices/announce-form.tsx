import { Button, Group, Modal, NativeSelect, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { sharedWords } from '../../both/words.ts'
import { incidentLevels, noticeWords as words } from '../words/notices.ts'

type Level = keyof typeof incidentLevels

/** The field for a moment holds no time zone. Its text is read as UTC, which is Ghana's time. */
const momentOf = (field: string) => (field === '' ? undefined : new Date(`${field}Z`).toISOString())

const levels = (Object.keys(incidentLevels) as Level[]).map((value) => ({ value, label: words.levelHelp[value] }))

type MomentProps = Pick<TextInputProps, 'label' | 'description'> & {
  readonly value: string
  readonly onChange: (value: string) => void
}

function MomentField({ onChange, ...props }: MomentProps) {
  return <TextInput type="datetime-local" {...props} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
}

/** The form for a message to all resellers, and when it is shown. */
export function AnnounceForm({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [level, setLevel] = useState<Level>('trouble')
  const [message, setMessage] = useState('')
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const telling = useMutation({
    mutationFn: () => {
      const [begin, end] = [momentOf(from), momentOf(until)]
      const body = { level, message: message.trim(), ...(begin && { from: begin }), ...(end && { until: end }) }
      return answerOf(() => api.POST('/desk/api/incidents', { body }))
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['notices'] })
      onClose()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    telling.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={<b>{words.tellQuestion}</b>}>
      <form onSubmit={send}>
        <p>{words.tellEffect}</p>
        <NativeSelect
          mt={12}
          label={words.level}
          data={levels}
          value={level}
          onChange={({ currentTarget }) => setLevel(currentTarget.value as Level)}
        />
        <Textarea
          mt={12}
          label={words.message}
          description={words.messageHelp}
          required
          maxLength={300}
          autosize
          minRows={3}
          value={message}
          onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        />
        <Group grow mt={12} align="start">
          <MomentField label={words.from} description={words.fromHelp} value={from} onChange={setFrom} />
          <MomentField label={words.until} description={words.untilHelp} value={until} onChange={setUntil} />
        </Group>
        {telling.isError && <Failure error={telling.error} />}
        <Group mt={16} grow>
          <Button variant="default" onClick={onClose} disabled={telling.isPending}>
            {sharedWords.cancel}
          </Button>
          <Button type="submit" loading={telling.isPending} disabled={message.trim() === ''}>
            {words.send}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
