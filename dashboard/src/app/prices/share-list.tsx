import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CopyText } from '../../both/copy-text.tsx'
import { Section } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { canShare, share, shareOrSave, whatsAppAddress } from '../share.ts'
import { priceWords } from '../words/prices.ts'
import { receiptWords } from '../words/receipts.ts'
import { type PriceList, textOfList } from './priced-items.ts'
import css from './prices.module.css'

/** Sends the price list: as a picture, as a text, to WhatsApp, or to the clipboard. */
export function ShareList({ list }: { readonly list: PriceList }) {
  const picture = useMutation({
    mutationFn: async () => {
      const { drawPriceList } = await import('./draw-price-list.ts')
      await shareOrSave(await drawPriceList(list))
    },
  })
  const text = textOfList(list)
  return (
    <Section title={priceWords.share}>
      {list.groups.length === 0 ? (
        <p className="soft">{priceWords.nothingToShare}</p>
      ) : (
        <div className={css.actions}>
          <Button loading={picture.isPending} onClick={() => picture.mutate()}>
            {priceWords.sharePicture}
          </Button>
          {canShare && (
            <Button variant="light" onClick={() => void share({ text })}>
              {priceWords.shareText}
            </Button>
          )}
          <Button variant="light" component="a" href={whatsAppAddress(text)} target="_blank" rel="noreferrer">
            {receiptWords.whatsApp}
          </Button>
          <CopyText text={text} label={priceWords.copyList} />
        </div>
      )}
      {picture.isError && <Failure error={picture.error} />}
    </Section>
  )
}
