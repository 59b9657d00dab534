import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { useMe } from '../me.ts'
import { viewWords } from '../words/view.ts'
import css from './view-banner.module.css'

const tickMilliseconds = 1_000

/** Leads back to the account at the desk. Loads a whole page, so that nothing of the reseller's data stays in memory. */
const leave = (accountId: string) => location.assign(`/desk/accounts/${accountId}`)

function useMillisecondsLeft(endsAt: string): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMilliseconds)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Date.parse(endsAt) - now)
}

/** Tells a staff member, on every screen, whose account is shown, for how long, and how to end the view. */
export default function ViewBanner({ endsAt }: { readonly endsAt: string }) {
  const { account } = useMe()
  const left = useMillisecondsLeft(endsAt)
  const ending = useMutation({
    mutationFn: () => post('/desk/api/view/end'),
    onSuccess: () => leave(account.account_id),
  })
  const isOver = left === 0
  useEffect(() => {
    if (isOver) leave(account.account_id)
  }, [isOver, account.account_id])
  return (
    <aside className={css.banner} aria-label={viewWords.label}>
      <div>
        <b>{viewWords.seeing(account.name)}</b>
        <div className={css.detail}>
          {viewWords.readOnly} {viewWords.minutesLeft(Math.ceil(left / 60_000))}
          {ending.isError && ` ${viewWords.notEnded}`}
        </div>
      </div>
      <Button variant="filled" loading={ending.isPending} onClick={() => ending.mutate()}>
        {viewWords.end}
      </Button>
    </aside>
  )
}
