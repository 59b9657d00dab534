import { Button, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { Card } from '../../both/layout/page.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { topUpWords } from '../words/top-up.ts'
import css from './top-up.module.css'
import type { TopUp } from './top-up-state.tsx'

/** The seconds until a moment, counted down each second. 0 when the moment is over, or when there is none. */
function useSecondsUntil(moment: string | null): number {
  const left = () => (moment === null ? 0 : Math.max(0, Math.floor((Date.parse(moment) - Date.now()) / 1_000)))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left), 1_000)
    return () => clearInterval(timer)
    // biome-ignore lint/correctness/useExhaustiveDependencies: `left` depends on the moment alone.
  }, [moment])
  return seconds
}

/** `4:05` */
const showClock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Explains how to approve a payment on the phone, in what time, and what to do when the phone shows nothing. */
export function ApproveGuide({ topUp }: { readonly topUp: TopUp }) {
  const { payer_phone: phone, state, charged, expires_at: expiresAt } = topUp
  const seconds = useSecondsUntil(expiresAt)
  const [isHelping, setHelping] = useState(false)
  if (phone === null || state !== 'pending') return null
  return (
    <div className={css.truth}>
      <Card>
        <Stack gap={8} align="flex-start">
          <b>{topUpWords.approveOn(groupDigits(phone))}</b>
          <p>{topUpWords.approveHow(formatGhs(charged))}</p>
          {seconds > 0 && (
            <p role="timer">
              {topUpWords.openFor} <b>{showClock(seconds)}</b>
            </p>
          )}
          <Button variant="subtle" px={0} aria-expanded={isHelping} onClick={() => setHelping(!isHelping)}>
            {topUpWords.noPrompt}
          </Button>
          {isHelping && (
            <>
              <p>{topUpWords.approvals}</p>
              <Button component="a" href="tel:*170%23" variant="light">
                {topUpWords.dial}
              </Button>
              <p>
                {topUpWords.noPromptElse(formatGhs(charged))} <Link href="/top-up">{topUpWords.again}</Link>
              </p>
            </>
          )}
        </Stack>
      </Card>
    </div>
  )
}
