import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refreshTopic } from './use-read.ts'

test('a topic is read again after the next page that somebody asked for, and does not break it off', async () => {
  const asked: number[] = []
  const answers: PromiseWithResolvers<undefined>[] = []
  const queries = new QueryClient()
  const list = new InfiniteQueryObserver(queries, {
    queryKey: ['orders', 'list'],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      asked.push(pageParam)
      const answer = Promise.withResolvers<undefined>()
      answers.push(answer)
      await answer.promise
      signal.throwIfAborted()
      return { page: pageParam }
    },
    getNextPageParam: ({ page }) => page + 1,
  })
  const pages = () => list.getCurrentResult().data?.pages.map(({ page }) => page)
  const end = list.subscribe(() => undefined)
  const answerNext = async () => {
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    answers.shift()?.resolve(undefined)
  }
  await answerNext()
  await expect.poll(pages).toEqual([1])
  void list.fetchNextPage()
  const refreshing = refreshTopic(queries, 'orders')
  await answerNext()
  await expect.poll(pages).toEqual([1, 2])
  await answerNext()
  await answerNext()
  await refreshing
  expect(asked).toEqual([1, 2, 1, 2])
  expect(pages()).toEqual([1, 2])
  end()
})
