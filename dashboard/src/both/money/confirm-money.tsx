import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldWords } from '../field-words.ts'
import { Failure } from '../layout/query-states.tsx'
import { sharedWords } from '../words.ts'
import css from './confirm-money.module.css'
import { formatGhs } from './format-ghs.ts'
import { isPriceChanged } from './use-reference.ts'

type Props = {
  readonly isOpen: boolean
  /** The action as a question: `Buy 2 × MTN 5 GB?` */
  readonly question: string
  /** Shown above the amount: who gets it. */
  readonly recipients?: ReactNode
  /** The amount that moves, in GHS, or in the unit of `show`. */
  readonly amount: number
  /** The balance after the change, in the same unit. Undefined: it is not shown. */
  readonly balanceAfter?: number | undefined
  /** Writes amounts; by default in GHS. */
  readonly show?: (amount: number) => string
  /** The text of the button: `Buy for GHS 37.00`. */
  readonly action: string
  readonly isBusy: boolean
  /** False: it can only be cancelled. */
  readonly isPossible?: boolean
  /** A refusal after which the question is asked again with another amount, such as a changed price. */
  readonly refusal?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Asks once before money moves. Shows the amount and the balance after it. */
export function ConfirmMoney(props: Props) {
  const {
    isOpen,
    question,
    recipients,
    amount,
    balanceAfter,
    show = formatGhs,
    action,
    isBusy,
    isPossible = true,
    refusal,
    onConfirm,
    onClose,
    children,
  } = props
  return (
    // Nobody can close it until the server has answered: the form below it could be sent a second time.
    <Modal opened={isOpen} onClose={isBusy ? () => undefined : onClose} title={<b>{question}</b>}>
      {isPriceChanged(refusal) && <Failure error={refusal} title={fieldWords.priceChanged} />}
      {recipients}
      <div className={css.amount}>{show(amount)}</div>
      {balanceAfter !== undefined && (
        <p className={css.after}>
          {fieldWords.balanceAfter}: {show(balanceAfter)}
        </p>
      )}
      {children}
      <Group mt={16} grow preventGrowOverflow={false}>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          {sharedWords.cancel}
        </Button>
        <Button onClick={onConfirm} loading={isBusy} disabled={!isPossible} data-autofocus>
          {action}
        </Button>
      </Group>
    </Modal>
  )
}
