import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { invalidate, keyIn, queryClient } from './query-client.ts'

const answers: PromiseWithResolvers<string>[] = []
const list = new QueryObserver(queryClient, {
  queryKey: keyIn(['entities', 'versions', 1]),
  queryFn: () => {
    const answer = Promise.withResolvers<string>()
    answers.push(answer)
    return answer.promise
  },
})

it('a change during the first read of a list reads it again, and once if it has been read', async () => {
  const stop = list.subscribe(() => undefined)
  for (const [at, changed] of ['after the first change', 'after the second change'].entries()) {
    const refreshed = invalidate(['entities'])
    answers[at]?.resolve('before the change')
    await expect.poll(() => answers.length).toBe(at + 2)
    answers[at + 1]?.resolve(changed)
    await refreshed
    expect(list.getCurrentResult().data).toBe(changed)
  }
  expect(answers).toHaveLength(3)
  stop()
})
