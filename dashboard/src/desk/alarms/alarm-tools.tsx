import { Button } from '@mantine/core'
import { useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { ActNow } from '../../both/form/act-now.tsx'
import { useMay } from '../me.ts'
import { alarmWords as words } from '../words/alarms.ts'
import css from './alarms.module.css'
import { askForNotifications, canNotify, endNotifications, isNotifying } from './notify-alarms.ts'

/** A button for notifications of the browser. The browser asks whether it may show them only after a click. */
function NotifyButton() {
  const [isOn, setOn] = useState(isNotifying)
  const [isDenied, setDenied] = useState(false)
  if (!canNotify) return null
  const toggle = async () => {
    if (isOn) {
      endNotifications()
      setOn(false)
      return
    }
    const isGiven = await askForNotifications()
    setOn(isGiven)
    setDenied(!isGiven)
  }
  return (
    <>
      <Button variant="default" onClick={() => void toggle()}>
        {isOn ? words.notifyEnd : words.notify}
      </Button>
      {isDenied && <span role="status">{words.notifyDenied}</span>}
    </>
  )
}

function TestButton() {
  return (
    <ActNow
      label={words.test}
      variant="default"
      run={() => post('/desk/api/alarms/test')}
      topics={[]}
      done={({ channels }) =>
        channels.length === 0
          ? words.noChannel
          : channels.map(({ channel, failure }) => <span key={channel}>{words.tested(channel, failure)} </span>)
      }
    />
  )
}

/** The ways in which people get alarms: a test of all of them, and notifications of this browser. */
export function AlarmTools() {
  const mayTest = useMay('handle_alarms')
  return (
    <div className={css.tools}>
      <NotifyButton />
      {mayTest && <TestButton />}
    </div>
  )
}
