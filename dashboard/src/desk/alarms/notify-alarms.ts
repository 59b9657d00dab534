import { get } from '../../both/api/call-api.ts'
import { alarmWords } from '../words/alarms.ts'

const wantedKey = 'makola.desk-alarm-notifications'
const shownKey = 'makola.desk-alarms-shown'

/** True when this browser can show notifications outside the page. */
export const canNotify = 'Notification' in globalThis

/** True when somebody asked for notifications in this browser, and the browser allows them. */
export function isNotifying(): boolean {
  return canNotify && Notification.permission === 'granted' && localStorage.getItem(wantedKey) === 'yes'
}

/** Asks the browser to allow notifications. Called after a click. @returns whether it allows them */
export async function askForNotifications(): Promise<boolean> {
  if (!canNotify || (await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(wantedKey, 'yes')
  localStorage.setItem(shownKey, JSON.stringify((await listOpen()).map(({ alarm_id }) => alarm_id)))
  return true
}

export function endNotifications(): void {
  localStorage.removeItem(wantedKey)
}

async function listOpen() {
  const { alarms } = await get('/desk/api/alarms', { state: 'open' })
  return alarms
}

/** Shows a notification for each new alarm, once for all tabs of a browser. */
export async function notifyAlarms(): Promise<void> {
  if (!isNotifying()) return
  const open = await listOpen()
  await navigator.locks.request(shownKey, () => {
    const known = new Set(JSON.parse(localStorage.getItem(shownKey) ?? '[]') as string[])
    localStorage.setItem(shownKey, JSON.stringify(open.map(({ alarm_id }) => alarm_id)))
    for (const { alarm_id: id, name, message } of open) {
      if (known.has(id)) continue
      const shown = new Notification(alarmWords.titleOf(name), { body: message, tag: id })
      shown.addEventListener('click', () => {
        window.focus()
        location.assign('/desk/alarms')
      })
    }
  })
}
